import type { Damage, Scene } from './damage';

const enrolled = (on: Scene): string => `enrollment ${on.ids.enrolled}`;
const left = (on: Scene): string => `enrollment ${on.ids.left}`;
const stepOf = (id: string, step: number): string => `enrollment_id = '${id}' AND step = ${step}`;
const messageOf = (on: Scene): string =>
  on.read(`SELECT message_id AS value FROM enrollment_steps WHERE ${stepOf(on.ids.enrolled, 1)}`);

export const ENROLLMENT_DAMAGE: Damage[] = [
  {
    what: 'a version of a journey that is gone',
    sql: () => 'DELETE FROM journey_versions',
    finds: (on) => [
      ['enrollment-version', enrolled(on), /^version 1 of journey \d+$/, /^none$/],
      ['enrollment-version', left(on)],
    ],
  },
  {
    what: 'a step of an enrollment that is gone',
    sql: (on) => `DELETE FROM enrollment_steps WHERE ${stepOf(on.ids.enrolled, 1)}`,
    finds: (on) => [['enrollment-steps', enrolled(on), /^email 1$/, /^webhook 2$/]],
  },
  {
    what: 'a step of an enrollment that was done out of turn',
    sql: (on) => `INSERT INTO enrollment_steps SELECT enrollment_id, 4, 'wait', at, outcome, reason, NULL
      FROM enrollment_steps WHERE ${stepOf(on.ids.left, 2)}`,
    finds: (on) => [['enrollment-steps', left(on), /^wait 3$/, /^wait 4$/]],
  },
  {
    what: 'an enrollment that stands elsewhere',
    sql: (on) => `UPDATE enrollments SET step = 4 WHERE id = '${on.ids.enrolled}'`,
    finds: (on) => [['enrollment-steps', enrolled(on), /^it is at 3$/, /^it is at 4$/]],
  },
  {
    what: 'an enrollment that is completed before its end',
    sql: (on) => `UPDATE enrollments SET status = 'completed', ended_at = 4000000000000 WHERE id = '${on.ids.enrolled}';
      DELETE FROM due_tasks WHERE id = '${on.ids.enrolled}'`,
    finds: (on) => [['enrollment-steps', enrolled(on), /^completed: step 3 was done$/, /^it was not$/]],
  },
  {
    what: 'a step that was done after the contact left',
    sql: (on) => `UPDATE enrollment_steps SET at = at + 86400000 WHERE ${stepOf(on.ids.left, 2)}`,
    finds: (on) => [['enrollment-left', left(on), /^left: no step after 20/, /^a step at 20/]],
  },
  {
    what: 'an enrollment that left without a reason',
    sql: (on) => `UPDATE enrollments SET reason = NULL WHERE id = '${on.ids.left}'`,
    finds: (on) => [['enrollment-left', left(on), /and the reason$/, /reason none/]],
  },
  {
    what: 'a mail of another step',
    sql: (on) => `UPDATE messages SET journey_step = 4 WHERE id = '${messageOf(on)}'`,
    finds: (on) => [['enrollment-mail', enrolled(on), /^step 1: its message$/, /which is not of this step$/]],
  },
  {
    what: 'an enrollment that nothing drives',
    sql: (on) => `DELETE FROM due_tasks WHERE id = '${on.ids.enrolled}'`,
    finds: (on) => [['enrollment-work', enrolled(on), /^active: its due work$/, /^no due work$/]],
  },
  {
    what: 'a step that was due long ago',
    sql: (on) => `UPDATE enrollments SET due_at = 1000000000000 WHERE id = '${on.ids.enrolled}'`,
    finds: (on) => [['overdue', enrolled(on), /^step 3 soon after 2001-/, /^not done at 20/]],
  },
  {
    what: 'an enrollment that left and is still driven',
    sql: (on) => `INSERT INTO due_tasks (kind, id, workspace_id, lane, due_at, payload, attempt, ready_at)
      VALUES ('journey-step', '${on.ids.left}', 1, '', 1, '{}', 0, 1)`,
    finds: (on) => [['enrollment-work', left(on), /^left: no due work$/, /^its due work$/]],
  },
  {
    what: 'a post of a webhook step that is gone',
    sql: (on) => `DELETE FROM journey_posts WHERE ${stepOf(on.ids.enrolled, 2)}`,
    finds: (on) => [['journey-post', enrolled(on), /^step 2: its post$/, /^none$/]],
  },
  {
    what: 'a post that waits for nothing',
    sql: (on) => `DELETE FROM due_tasks WHERE id = '${on.ids.enrolled}:2'`,
    finds: (on) => [['journey-post', `${enrolled(on)} step 2`, /^waiting: a due task/, /no due task$/]],
  },
  {
    what: 'a post of a step that was not reached',
    sql: (on) => `UPDATE journey_posts SET step = 4 WHERE ${stepOf(on.ids.enrolled, 2)}`,
    finds: (on) => [
      ['journey-post', enrolled(on), /^step 2: its post$/, /^none$/],
      ['journey-post', `${enrolled(on)} step 4`, /^waiting/, /no due task$/],
    ],
  },
];
