const { relative } = require('node:path');
const { MEASURED, read, root, write } = require('./kept');

/** Keeps how long each file took, for the order of the next run and for keep.js. */
class Durations {
  constructor() {
    this.measured = {};
  }

  onTestResult(_test, { testFilePath, perfStats, numPassingTests }) {
    if (numPassingTests > 0) this.measured[relative(root, testFilePath)] = Math.round(perfStats.runtime / 100) / 10;
  }

  onRunComplete() {
    write(MEASURED, { ...read(MEASURED), ...this.measured });
  }
}

module.exports = Durations;
