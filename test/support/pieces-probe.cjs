'use strict';

/**
 * Preloaded into the program (`node --require`): the longest piece of work of its main thread between two turns of a
 * timer, in ms of processor time, so that other programs of the machine do not count. SIGWINCH writes it to PIECES_FILE
 * and begins again.
 */
const { openSync, readSync, writeFileSync, renameSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

if (isMainThread && process.env.PIECES_FILE) {
  const file = process.env.PIECES_FILE;
  const bytes = Buffer.alloc(100);
  const stat = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  /** Processor time of this thread so far, ms. */
  const used = () => {
    const length = readSync(stat, bytes, 0, bytes.length, 0);
    return Number(bytes.toString('latin1', 0, length).split(' ', 1)[0]) / 1e6;
  };
  let longest = 0;
  let last = used();
  const look = () => {
    const now = used();
    longest = Math.max(longest, now - last);
    last = now;
    setTimeout(look, 1).unref();
  };
  look();
  let answers = 0;
  process.on('SIGWINCH', () => {
    answers += 1;
    writeFileSync(`${file}.new`, JSON.stringify({ answers, longest }));
    renameSync(`${file}.new`, file);
    longest = 0;
    last = used();
  });
}
