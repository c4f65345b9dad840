import { OPERATIONS } from '../operations/catalogue';
import { NOT_COMMANDS } from './not-operations';
import type { CliCommand } from './support/command';

type Group = () => Promise<readonly CliCommand[]>;

/** Without those that are no commands. */
const withoutOthers = (all: readonly CliCommand[]): readonly CliCommand[] =>
  all.filter(({ name }) => !Object.hasOwn(NOT_COMMANDS, name));

/** With `more` after the first `n`. */
const inserted = (all: readonly CliCommand[], n: number, ...more: readonly CliCommand[]): readonly CliCommand[] => [
  ...all.slice(0, n),
  ...more,
  ...all.slice(n),
];

/** The groups of operations that have commands of the command line among them, in the order of their help. */
export const MIXED_GROUPS = {
  suppress: async () => {
    const [suppressOperations, { importToList }, { exportSuppressions }] = await Promise.all([
      OPERATIONS.suppress(),
      import('./import.js'),
      import('./export.js'),
    ]);
    return [...suppressOperations, importToList, exportSuppressions];
  },
  contact: async () => {
    const [contactOperations, { exportContacts }] = await Promise.all([OPERATIONS.contact(), import('./export.js')]);
    return inserted(contactOperations, 7, exportContacts);
  },
  audience: async () => {
    const [audienceOperations, { exportMembers }] = await Promise.all([OPERATIONS.audience(), import('./export.js')]);
    return inserted(audienceOperations, 6, exportMembers);
  },
  campaign: async () => {
    const [campaignOperations, { previewCampaign }] = await Promise.all([
      OPERATIONS.campaign(),
      import('./preview.js'),
    ]);
    return inserted(withoutOthers(campaignOperations), 7, previewCampaign);
  },
  template: async () => {
    const [templateOperations, { previewOfTemplate }] = await Promise.all([
      OPERATIONS.template(),
      import('./preview.js'),
    ]);
    // The same answer, which may go to a file of this machine.
    return templateOperations.map((one) => (one.name === previewOfTemplate.name ? previewOfTemplate : one));
  },
  bounce: async () => {
    const [bounceOperations, { explainBounce }] = await Promise.all([OPERATIONS.bounce(), import('./bounce.js')]);
    return [explainBounce, ...bounceOperations];
  },
  sandbox: async () => {
    const [sandboxOperations, { advance, now }] = await Promise.all([
      OPERATIONS.sandbox(),
      import('./sandbox-clock.js'),
    ]);
    return inserted(sandboxOperations, 2, advance, now);
  },
} satisfies Record<string, Group>;
