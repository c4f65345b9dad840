/** With `double` a member must confirm by email before receiving campaigns (docs/contract.md#double-opt-in). */
export type OptInMode = 'single' | 'double';

export interface Audience {
  id: number;
  workspaceId: number;
  name: string;
  description: string | null;
  /** Random; names the audience in the link of its public subscribe form. */
  publicToken: string;
  optInMode: OptInMode;
  createdAt: number;
  updatedAt: number;
  /** Members, confirmed or not. */
  contactsCount: number;
}

/** Letters and digits of a public token. */
export const PUBLIC_TOKEN_LENGTH = 32;
