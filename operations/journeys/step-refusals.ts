import type { SendingDomain } from '../../domain/settings/sending-domain';
import type { Workspace } from '../../domain/settings/workspace';
import { texts } from '../../domain/texts';

/** Who sends the mail of a step. */
export interface StepSender {
  workspace: Workspace;
  domain: SendingDomain;
}

/** The sender of a mail step, or why nothing can be sent now. */
export function senderOf(workspace: Workspace | null, domain: SendingDomain | null): StepSender | string {
  if (!workspace || workspace.suspended) return texts.workspaceSuspended;
  return domain?.workspaceId === workspace.id && domain.status === 'active'
    ? { workspace, domain }
    : texts.domainInactive;
}

/** Why a contact is not added to an audience. */
export const NO_AUDIENCE = 'The audience does not exist.';
