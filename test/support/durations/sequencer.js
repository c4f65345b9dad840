const { statSync } = require('node:fs');
const { relative } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;
const { KEPT, MEASURED, read, root } = require('./kept');

/** What a file that was never measured is taken to last, by its size: late surprises lengthen a run most. */
const guessed = (path) => 5 + statSync(path).size / 1000;

/** Begins with the files that take longest, so that none of them is left alone at the end. */
class LongestFirst extends Sequencer {
  sort(tests) {
    const known = { ...read(MEASURED), ...read(KEPT) };
    const seconds = new Map(tests.map(({ path }) => [path, known[relative(root, path)] ?? guessed(path)]));
    return [...tests].sort((a, b) => seconds.get(b.path) - seconds.get(a.path) || (a.path < b.path ? -1 : 1));
  }
}

module.exports = LongestFirst;
