const { parentPort } = require('node:worker_threads');

/** Answers each call with its name and its arguments; one whose first argument is `throw` fails with the second. */
parentPort.on('message', ({ calls }) => {
  const outcomes = { done: [], failed: [], appended: [] };
  for (const [id, name, args] of calls) {
    if (args[0] === 'throw') outcomes.failed.push([id, args[1]]);
    else outcomes.done.push([id, { name, args }]);
  }
  parentPort.postMessage(outcomes);
});
