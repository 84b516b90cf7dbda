/** The time pages count from: one tick a second for all ages and countdowns, none while the window is hidden. */
export class Clock {
  now = $state(Date.now());

  start(): () => void {
    const tick = () => {
      if (document.visibilityState === "visible") this.now = Date.now();
    };
    const timer = setInterval(tick, 1000);
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }
}
