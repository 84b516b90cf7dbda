/** Says in one plain line how many tests passed and failed, for whoever sums up. */
export default class CountReporter {
  /** @param {ReadonlyArray<import("vitest/node").TestModule>} modules @param {ReadonlyArray<unknown>} errors */
  onTestRunEnd(modules, errors) {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
    const broken = modules.filter((module) => module.errors().length > 0).length + errors.length;
    const count = (/** @type {string} */ state) => states.filter((one) => one === state).length;
    console.log(`${count("passed")} passed, ${count("failed") + broken} failed`);
  }
}
