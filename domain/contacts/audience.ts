import type { FormAutoPause } from './form-auto-pause';

/** With `double` a member must confirm by email before receiving campaigns (docs/contract.md#double-opt-in). */
export type OptInMode = 'single' | 'double';

export interface Audience {
  id: number;
  workspaceId: number;
  name: string;
  description: string | null;
  /** Random; identifies the audience in the link of its public subscribe form. */
  publicToken: string;
  optInMode: OptInMode;
  /** Lower-case host names to which its form may lead on (docs/contract.md#public-form). */
  redirectHosts: readonly string[];
  /** Of the confirmation mails of its form. */
  formBrake: FormAutoPause;
  createdAt: number;
  updatedAt: number;
  /** Members, confirmed or not. */
  contactsCount: number;
}

/** Length of a public token: letters and digits. */
export const PUBLIC_TOKEN_LENGTH = 32;
