import { BounceRules } from '../domain/bounces/bounce-rules';
import { bareCommand } from './support/command';
import { argument, text } from '../operations/definition';

/** `kurir bounce explain`. */
export const explainBounce = bareCommand('bounce.explain', {
  summary: 'read a refusal as the service does: its class, whether it is a hard bounce, the rule that decided',
  arguments: { text: argument('the refusal: codes and words of the server', text(100_000)) },
  dashes: true,
  examples: [
    ['bounce explain "550 5.1.1 User unknown"', 'class address_unknown, hard'],
    ['bounce explain "552 5.2.2 Over quota" --json', '{"class":"mailbox_full","hard":false,"rule":"full"}'],
  ],
  notes: "The rules of the file at KURIR_BOUNCE_RULES are tried before Kurir's own.",
  handler: async (input, { host }) => {
    const { class: kind, hard, rule } = new BounceRules(host.config().bounceRules).classify(input.text);
    return { class: kind, hard, rule };
  },
  details: { class: 'class', hard: ({ hard }) => (hard ? 'yes' : 'no'), rule: ({ rule }) => rule ?? 'none' },
});
