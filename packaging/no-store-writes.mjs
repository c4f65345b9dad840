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
 * ESLint's rule for interfaces and for files that declare operations: they write no store. What they do stands in a use
 * case of operations/, which all of them call.
 */
export const noStoreWrites = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      writes: '{{name}} writes a store: call a use case of operations/ that every interface calls.',
    },
  },
  create({ sourceCode, filename, report }) {
    const { esTreeNodeToTSNodeMap: nodes, program } = sourceCode.parserServices;
    const checker = program.getTypeChecker();
    const found = [];
    let isDoor = !filename.replaceAll('\\', '/').includes('/operations/');
    const look = (node, symbolOf) => {
      const name = node.name ?? node.value;
      if (!READS.test(name) && symbolOf(name)?.declarations?.some(isPortMethod)) found.push({ node, name });
    };
    return {
      'CallExpression[callee.name="operation"]': () => {
        isDoor = true;
      },
      'MemberExpression > :matches(Identifier[parent.computed=false], Literal).property'(node) {
        look(node, () => checker.getSymbolAtLocation(nodes.get(node)));
      },
      'ObjectPattern > Property > :matches(Identifier, Literal).key'(node) {
        const pattern = nodes.get(node.parent.parent);
        look(node, (name) => checker.getTypeAtLocation(pattern).getProperty(String(name)));
      },
      'Program:exit'() {
        for (const { node, name } of isDoor ? found : []) report({ node, messageId: 'writes', data: { name } });
      },
    };
  },
};

const isPortMethod = (declaration) =>
  ts.isMethodSignature(declaration) && PORT.test(declaration.getSourceFile().fileName);
