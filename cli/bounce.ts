import { BounceRules } from '../domain/bounces/bounce-rules';
import { bareCommand } from './support/command';
import { argument, text } from '../operations/definition';

/** `kurir bounce explain`. */
export const explainBounce = bareCommand('bounce.explain', {
  summary: 'classify a bounce: its class, whether it is hard, and the rule that matched',
  arguments: { text: argument('the server response, with its codes and text', text(100_000)) },
  dashes: true,
  examples: [
    ['bounce explain "550 5.1.1 User unknown"', 'class address_unknown, hard'],
    ['bounce explain "552 5.2.2 Over quota" --json', '{"class":"mailbox_full","hard":false,"rule":"full"}'],
  ],
  notes: 'Rules in the file at KURIR_BOUNCE_RULES are tried before the built-in ones.',
  handler: async (input, { host }) => {
    const { class: kind, hard, rule } = new BounceRules(host.config().bounceRules).classify(input.text);
    return { class: kind, hard, rule };
  },
  details: { class: 'class', hard: ({ hard }) => (hard ? 'yes' : 'no'), rule: ({ rule }) => rule ?? 'none' },
});
