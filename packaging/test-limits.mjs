import { readFileSync } from 'node:fs';

const { patience: PATIENCE, spare } = JSON.parse(
  readFileSync(new URL('../test/support/limits.json', import.meta.url), 'utf8'),
);
/** The least limit of a test: limitFor(1) of test/support/limits.ts. */
const LIMIT = PATIENCE + spare;

/** Where Jest takes a limit: the place among the arguments. */
const PLACES = { test: 2, it: 2, beforeAll: 1, beforeEach: 1, afterAll: 1, afterEach: 1 };
/** What takes a time: the pollers of the tests, and Playwright's default. What waits in Playwright takes `timeout`. */
const POLLER = /^(?:eventually|until[A-Z]?\w*|setDefault(?:Navigation)?Timeout)$/;
const PLAYWRIGHT = /^(?:waitFor\w*|goto|reload|click|fill|press|check|selectOption)$/;
/** Names of the moment at which a poller gives up, and of the time that it takes. */
const MOMENT = /^(?:end|deadline)$/i;
const TIME = /patience$/i;
/** What is not longer is a count, or a time in which nothing may come, ms. */
const SHORT = 1_000;
const UNITS = { SECOND: 1_000, MINUTE: 60_000, HOUR: 3_600_000, DAY: 86_400_000 };

/**
 * ESLint's rule for tests: no limit is shorter than a wait may take, since it would hide what was waited for. A limit
 * that is written out must be above PATIENCE, and the time of a poller at least PATIENCE.
 */
export const testLimits = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      limit: `{{ms}} ms may pass on a busy machine: leave the limit out, or take limitFor(waits) of test/support/limits.`,
      wait: `{{ms}} ms may pass on a busy machine: wait for PATIENCE of test/support/limits, or until giveUpAt().`,
    },
  },
  create({ sourceCode, report }) {
    const least = (node, messageId, from, to) => {
      const ms = node && valueOf(node, sourceCode);
      if (ms > from && ms < to) report({ node, messageId, data: { ms: String(ms) } });
    };
    const limit = (node) => least(node, 'limit', 0, LIMIT);
    const wait = (node) => least(node, 'wait', SHORT, PATIENCE);
    return {
      CallExpression({ callee, arguments: given }) {
        const name = nameOf(callee);
        if (isJestTimeout(callee)) limit(given[0]);
        else if (name in PLACES) limit(given[PLACES[name]]);
        else if (POLLER.test(name) || isSignal(callee)) given.forEach(wait);
        else if (PLAYWRIGHT.test(name)) given.map(timeoutOf).forEach(wait);
      },
      VariableDeclarator({ id, init }) {
        if (init && MOMENT.test(id.name) && isMoment(init)) wait(init.right);
        if (init && TIME.test(id.name)) wait(init);
      },
      AssignmentPattern({ left, right }) {
        if (TIME.test(left.name)) wait(right);
      },
    };
  },
};

const isJestTimeout = ({ object, property }) => object?.name === 'jest' && property?.name === 'setTimeout';

const isSignal = ({ object, property }) => object?.name === 'AbortSignal' && property?.name === 'timeout';

/** The name that is called: `it` of `it.each(rows)` and of `it.only`. */
function nameOf(callee) {
  if (callee.type === 'CallExpression' || callee.type === 'TaggedTemplateExpression')
    return nameOf(callee.callee ?? callee.tag);
  if (callee.type !== 'MemberExpression') return callee.name ?? '';
  return callee.object.name in PLACES ? callee.object.name : (callee.property.name ?? '');
}

const timeoutOf = ({ properties }) => properties?.find(({ key }) => key?.name === 'timeout')?.value;

const isMoment = ({ type, operator, left }) =>
  type === 'BinaryExpression' && operator === '+' && left.callee?.property?.name === 'now';

/** The number that is written out, also by a constant of the file; NaN when it comes from elsewhere. */
function valueOf(node, sourceCode) {
  if (node.type === 'Literal') return typeof node.value === 'number' ? node.value : NaN;
  if (node.type === 'BinaryExpression') {
    const [left, right] = [valueOf(node.left, sourceCode), valueOf(node.right, sourceCode)];
    return { '*': left * right, '+': left + right, '-': left - right, '/': left / right }[node.operator] ?? NaN;
  }
  if (node.type !== 'Identifier') return NaN;
  let scope = sourceCode.getScope(node);
  while (scope && !scope.set.has(node.name)) scope = scope.upper;
  const [definition] = scope?.set.get(node.name)?.defs ?? [];
  if (definition?.type === 'ImportBinding') return UNITS[node.name] ?? NaN;
  const { parent, node: declared } = definition ?? {};
  return parent?.kind === 'const' && declared.init ? valueOf(declared.init, sourceCode) : NaN;
}
