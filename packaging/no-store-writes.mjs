import ts from 'typescript';

/**
 * The names of the methods of stores/ports that only read: what is found, counted or is so, where a write is an
 * imperative. A name that is not here writes.
 */
const READS = new RegExp(
  `^(?:${[
    '(?:count|find|get|list|next|of|recent|scan|search|snapshot)(?:[A-Z].*)?',
    '(?:account|affectedBy|attachmentsExpired|attempts|awaitingReport|backlogByClass|between|claimed|claimsOn|clicks)',
    '(?:close|complainedSince|consents|contacts|content|due|events|givenUp|hardSince|held|history|job|kinds|lanes)',
    '(?:lanesDue|linkClicks|links|members|messageCount|networkSeenAt|newest|outbox|overdue|page|pastFence|pending)',
    '(?:positions|progress|reason|reasonAt|recipientHash|recipients|refusals|refusedSince|rows|settings|stampedAfter|tasks)',
    '(?:toAsk|top|unfenced|unknown|unread|usedBy|version|waiting|workspacesWaiting)',
  ].join('|')})$`,
);
/** Counting requests writes no data. */
const PORT = /\/stores\/ports\/(?!rate-limiter)[\w-]+\.ts$/;

/**
 * ESLint's rule for doors and for files that declare operations: they write no store. What they do stands in a use case
 * of operations/, which all of them call.
 */
export const noStoreWrites = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      writes: '{{name}} writes a store: call a use case of operations/ that every door calls.',
    },
  },
  create({ sourceCode, filename, report }) {
    const { esTreeNodeToTSNodeMap: nodes, program } = sourceCode.parserServices;
    const checker = program.getTypeChecker();
    const found = [];
    let isDoor = !filename.replaceAll('\\', '/').includes('/operations/');
    const look = (node, symbol) => {
      if (symbol?.declarations?.some(isPortMethod)) found.push(node);
    };
    return {
      'CallExpression[callee.name="operation"]': () => {
        isDoor = true;
      },
      'MemberExpression[computed=false][property.type="Identifier"]'({ property }) {
        if (!READS.test(property.name)) look(property, checker.getSymbolAtLocation(nodes.get(property)));
      },
      'ObjectPattern > Property[computed=false][key.type="Identifier"]'({ parent, key }) {
        if (!READS.test(key.name)) look(key, checker.getTypeAtLocation(nodes.get(parent)).getProperty(key.name));
      },
      'Program:exit'() {
        for (const node of isDoor ? found : []) report({ node, messageId: 'writes', data: { name: node.name } });
      },
    };
  },
};

const isPortMethod = (declaration) =>
  ts.isMethodSignature(declaration) && PORT.test(declaration.getSourceFile().fileName);
