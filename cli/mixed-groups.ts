import type { CliCommand } from './support/command';

type Group = () => Promise<readonly CliCommand[]>;

/** With `more` after the first `n`. */
const inserted = (all: readonly CliCommand[], n: number, ...more: readonly CliCommand[]): readonly CliCommand[] => [
  ...all.slice(0, n),
  ...more,
  ...all.slice(n),
];

/** The groups of operations that have commands of the command line among them, in the order of their help. */
export const MIXED_GROUPS = {
  suppress: async () => {
    const [{ SUPPRESS_OPERATIONS }, { importToList }, { exportSuppressions }] = await Promise.all([
      import('../operations/suppress.js'),
      import('./import.js'),
      import('./export.js'),
    ]);
    return [...SUPPRESS_OPERATIONS, importToList, exportSuppressions];
  },
  contact: async () => {
    const [{ CONTACT_OPERATIONS }, { importToWorkspace }, { exportContacts }] = await Promise.all([
      import('../operations/contact.js'),
      import('./import.js'),
      import('./export.js'),
    ]);
    return inserted(CONTACT_OPERATIONS, 2, importToWorkspace, exportContacts);
  },
  audience: async () => {
    const [{ AUDIENCE_OPERATIONS }, { importMembers }, { exportMembers }] = await Promise.all([
      import('../operations/audience.js'),
      import('./import.js'),
      import('./export.js'),
    ]);
    return [...inserted(AUDIENCE_OPERATIONS, 4, importMembers), exportMembers];
  },
  campaign: async () => {
    const [{ CAMPAIGN_OPERATIONS }, { previewCampaign }] = await Promise.all([
      import('../operations/campaign.js'),
      import('./preview.js'),
    ]);
    return inserted(CAMPAIGN_OPERATIONS, 7, previewCampaign);
  },
  template: async () => {
    const [{ TEMPLATE_OPERATIONS }, { previewOfTemplate }] = await Promise.all([
      import('../operations/template.js'),
      import('./preview.js'),
    ]);
    return inserted(TEMPLATE_OPERATIONS, 4, previewOfTemplate);
  },
  bounce: async () => {
    const [{ BOUNCE_OPERATIONS }, { explainBounce }] = await Promise.all([
      import('../operations/bounce.js'),
      import('./bounce.js'),
    ]);
    return [explainBounce, ...BOUNCE_OPERATIONS];
  },
  sandbox: async () => {
    const [{ SANDBOX_OPERATIONS }, { advance, now }] = await Promise.all([
      import('../operations/sandbox.js'),
      import('./sandbox-clock.js'),
    ]);
    return inserted(SANDBOX_OPERATIONS, 2, advance, now);
  },
} satisfies Record<string, Group>;
