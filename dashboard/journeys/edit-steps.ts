import type { WrittenStep } from '../../operations/journeys/journey-file-format';

type Branch = Extract<WrittenStep, { type: 'branch' }>;

/** Where a new step goes: behind another (0: to the beginning), or first in a way of a branch. */
export type Place = { after: number } | { in: number; way: 'then' | 'else' };

/** A change to the steps. Numbers are those before it. */
export type StepEdit =
  | { do: 'add'; place: Place; step: WrittenStep }
  | { do: 'replace'; number: number; step: WrittenStep }
  | { do: 'remove' | 'up' | 'down'; number: number };

/** Every step in the order of its number, those within branches included. */
export const flatSteps = (steps: readonly WrittenStep[]): WrittenStep[] =>
  steps.flatMap((one) => (one.type === 'branch' ? [one, ...flatSteps(one.then), ...flatSteps(one.else)] : [one]));

interface Located {
  list: WrittenStep[];
  at: number;
  /** The branch around it; null for none. */
  around: Branch | null;
}

function locate(list: WrittenStep[], step: WrittenStep, around: Branch | null = null): Located | null {
  const at = list.indexOf(step);
  if (at >= 0) return { list, at, around };
  for (const one of list) {
    const found = one.type === 'branch' && (locate(one.then, step, one) ?? locate(one.else, step, one));
    if (found) return found;
  }
  return null;
}

/**
 * The steps after a change, and the number of the step that it was about; null when there is no such step. The numbers
 * that questions ask for follow the mails: 0 when the mail is gone.
 */
export function editSteps(
  given: readonly WrittenStep[],
  edit: StepEdit,
): { steps: WrittenStep[]; number: number } | null {
  const steps = structuredClone([...given]);
  const before = flatSteps(steps);
  const added = edit.do === 'add' ? structuredClone(edit.step) : null;
  const about = added ?? (edit.do === 'add' ? undefined : before[edit.number - 1]);
  if (!about) return null;
  if (edit.do === 'replace') replace(about, edit.step);
  const targets = mailsAskedFor(added ? [...before, added] : before, before);
  if (edit.do === 'add') {
    if (!insert(steps, before, edit.place, about)) return null;
  } else if (edit.do === 'remove') takeOut(steps, about);
  else if (edit.do !== 'replace') move(steps, about, edit.do);
  const now = flatSteps(steps);
  for (const [branch, mail] of targets) {
    const number = now.indexOf(mail) + 1;
    branch.if = typeof branch.if === 'object' && 'clicked' in branch.if ? { clicked: number } : { opened: number };
  }
  return { steps, number: now.indexOf(about) + 1 };
}

/** The mail that each question asks for. */
function mailsAskedFor(steps: readonly WrittenStep[], numbered: readonly WrittenStep[]): Map<Branch, WrittenStep> {
  const targets = new Map<Branch, WrittenStep>();
  for (const step of steps) {
    if (step.type !== 'branch' || step.if === 'goal') continue;
    const mail = numbered[('clicked' in step.if ? step.if.clicked : step.if.opened) - 1];
    if (mail) targets.set(step, mail);
  }
  return targets;
}

/** In place: questions about a mail still mean it. A question keeps its ways. */
function replace(step: WrittenStep, by: WrittenStep): void {
  const ways = step.type === 'branch' && by.type === 'branch' ? { then: step.then, else: step.else } : {};
  for (const field of Object.keys(step)) Reflect.deleteProperty(step, field);
  Object.assign(step, structuredClone(by), ways);
}

function insert(steps: WrittenStep[], before: readonly WrittenStep[], place: Place, step: WrittenStep): boolean {
  if ('in' in place) {
    const branch = before[place.in - 1];
    if (branch?.type !== 'branch') return false;
    branch[place.way].unshift(step);
    return true;
  }
  const behind = before[place.after - 1];
  const found = behind && locate(steps, behind);
  if (!found && place.after !== 0) return false;
  if (found) found.list.splice(found.at + 1, 0, step);
  else steps.unshift(step);
  return true;
}

function takeOut(steps: WrittenStep[], step: WrittenStep): void {
  const found = locate(steps, step);
  found?.list.splice(found.at, 1);
}

/** One place up or down in its list; from the end of a way it goes out of the branch. */
function move(steps: WrittenStep[], step: WrittenStep, to: 'up' | 'down'): void {
  const found = locate(steps, step);
  if (!found) return;
  const { list, at, around } = found;
  const place = to === 'up' ? at - 1 : at + 1;
  if (place >= 0 && place < list.length) {
    list.splice(at, 1);
    list.splice(place, 0, step);
    return;
  }
  const outside = around && locate(steps, around);
  if (!outside) return;
  list.splice(at, 1);
  outside.list.splice(to === 'up' ? outside.at : outside.at + 1, 0, step);
}
