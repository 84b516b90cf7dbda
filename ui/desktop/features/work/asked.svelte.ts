/** What a page wants that leaves the window. */
export interface Question {
  kind: "link" | "message";
  text: string;
}

/** One question at a time: a page that asks again while one is open is refused, so it can't bury a person in them. */
export class Asked {
  question = $state.raw<Question | null>(null);
  #answer: ((yes: boolean) => void) | undefined;

  ask(question: Question): Promise<boolean> {
    if (this.question) return Promise.resolve(false);
    this.question = question;
    return new Promise((resolve) => (this.#answer = resolve));
  }

  answer(yes: boolean): void {
    this.question = null;
    this.#answer?.(yes);
    this.#answer = undefined;
  }
}
