/**
 * What texts for people do not say, and what they say instead: the habits that docs/glossary.md has left. English only;
 * no pattern matches a word of Indonesian.
 */
const WORDS = [
  [/\bmails\b/i, 'emails, or messages'],
  [
    /\b(?:an?|one|each|every|another|first|test|confirmation) mail\b(?! (?:app|client|exchanger|host|program|provider|server|worker)s?\b)/i,
    'an email, or a message',
  ],
  [/\bget(?:s|ting)? (?:no )?mail\b/i, 'receive email, or cannot receive email'],
  [/\bno more\b(?! (?:than\b|[\w-]+s\b))/i, 'no longer'],
  [/\bany ?more\b(?! than\b)/i, 'no longer'],
  [/\ball the same\b/i, 'anyway'],
  [/\bneeds? a hand\b/i, 'needs attention'],
  [/\bin hand\b/i, 'being sent, or in progress'],
  [/\bwhoever\b/i, 'your administrator, or the person by name'],
  [/\bmeanwhile\b/i, 'in the meantime'],
  [/\bsecond factor\b/i, 'two-factor authentication'],
  [/\bthe trail\b/i, 'the audit log'],
  [/\bgo(?:es)? on\b/i, 'continue, or resume'],
  [/\blook(?:s|ed|ing)? (?:again|at)\b/i, 'check, review or reload'],
  [/\bstands? (?:against|at|for|here|in|on|there)\b/i, 'is'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\blead(?:s|ing)? (?:nowhere|on to)\b/i, 'link, or redirect'],
  [/\bdr(?:ive|ives|iven|iving) again\b/i, 'retry'],
  [/\bc(?:ame|omes?) to (?:its|their) end\b/i, 'is final, or has ended'],
  [/(?<!\bthere )\b(?:is|are) no (?:domain|draft|email|JSON|member|number|report|rule|term|URL)\b/i, 'is not a …'],
  [/\bof (?:its|their|your) own\b/i, 'its own, or separate'],
  [/\bby (?:itself|themselves)\b/i, 'automatically, or on its own'],
  [/\b(?:no|some)body\b/i, 'no one, someone, or the person by name'],
  [/\bWIB day\b/i, 'day (WIB)'],
  [/\bdata dir\b/i, 'data directory'],
  [/, which is no\b/i, 'which is not a …'],
  [/\b(?:are|is|was|were) there already\b/i, 'already exists'],
  [/\bas (?:it|they) should\b/i, 'as expected'],
];
/** What nobody reads: tags and code of templates, and the places that values fill. */
const UNREAD = /<%[^]*?%>|<style>[^]*?<\/style>|<[^>]*>|\$?\{[^}]*\}/g;
/** A word alone is a name; rows are chosen in capitals. */
const isText = (text) => /\S\s+\S/.test(text) && !/\b(?:DELETE|FROM|INSERT|SELECT|UPDATE|WHERE)\b/.test(text);

/** What is wrong with a text: each phrase of it that is on the list, and what to say instead. */
export const faultsOf = (text) => {
  if (!isText(text)) return [];
  const said = text.replace(UNREAD, '…');
  return WORDS.flatMap(([pattern, say]) => {
    const [found] = pattern.exec(said) ?? [];
    return found === undefined ? [] : [{ found, say }];
  });
};

/** ESLint's rule for the words of texts: strings and templates of more than one word. Comments are free. */
export const wording = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { word: 'Not "{{found}}" in a text for people: {{say}} (docs/glossary.md).' },
  },
  create: ({ report }) => {
    const check = (node, text) => {
      for (const fault of faultsOf(text)) report({ node, messageId: 'word', data: fault });
    };
    return {
      'Literal[value=/ /]': (node) => typeof node.value === 'string' && check(node, node.value),
      TemplateElement: (node) => check(node, node.value.cooked ?? ''),
    };
  },
};
