import type { Audience } from '../../domain/contacts/audience';
import { CONFIRM_EXPIRY, CONFIRM_MAIL, type JoinPlan } from '../../domain/contacts/opt-in';
import type { Language } from '../../domain/settings/language';
import type { DueTask } from '../ports/due-tasks';

/** The due work of a membership that has to be confirmed. `language`: the visitor's; null: that of the workspace. */
export function joinTasks(
  { id: audienceId, workspaceId }: Pick<Audience, 'id' | 'workspaceId'>,
  contactId: number,
  { member: { asked, pendingUntil }, mail }: JoinPlan,
  { language, at }: { language: Language | null; at: number },
): DueTask[] {
  if (pendingUntil === null) return [];
  const id = `${audienceId}:${contactId}`;
  const common = { workspaceId, lane: '' };
  const expiry: DueTask = { ...common, kind: CONFIRM_EXPIRY, id, dueAt: pendingUntil, payload: {} };
  if (!mail) return [expiry];
  return [
    { ...common, kind: CONFIRM_MAIL, id: `${id}:${asked}`, dueAt: at, payload: language === null ? {} : { language } },
    expiry,
  ];
}
