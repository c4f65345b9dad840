import type { WrittenJourney } from '../../operations/journeys/journey-written';

/** A step as `journey.show` answers it: the fields of the file, its number, and the contacts at it. */
export type Step = { step: number; counts?: StepCount } & (
  | { type: 'email'; domain_id: number; domain: string | null; subject: string; html: string; text: string | null }
  | { type: 'wait'; for: string }
  | { type: 'webhook'; url: string }
  | { type: 'add_to_audience'; audience_id: number; audience: string | null }
  | { type: 'branch'; if: Condition; then: readonly Step[]; else: readonly Step[] }
);

/** What a branch asks. */
export type Condition = 'goal' | { opened: number } | { clicked: number };

export interface StepCount {
  now: number;
  passed: number;
  sent: number;
  refused: number;
}

export interface Goal {
  event: 'conversion' | 'click' | 'open';
  ends: boolean;
}

interface Journey {
  id: number;
  name: string;
  status: 'draft' | 'active' | 'paused';
  trigger_type: 'api' | 'audience_join' | 'form_subscribe';
  audience_id: number | null;
  goal: Goal | null;
  version: number;
  created_at: string;
}

interface Figures {
  contacts: Readonly<Record<'active' | 'completed' | 'left', number>>;
  conversions: number;
  revenue: number;
}

/** A journey of `journey.list`. */
export type ListedJourney = Journey & Figures;

/** What `journey.show` answers. */
export type ShownJourney = Journey &
  Figures & {
    contacts: { on_earlier_versions: number };
    steps: readonly Step[];
    definition: WrittenJourney;
    draft: Draft | null;
  };

/** A contact of a journey, as `journey.enrollments` answers it. */
export interface Enrolled {
  contact_id: number;
  email: string | null;
  status: 'active' | 'completed' | 'left';
  reason: string | null;
  version: number;
  step: number;
  goal_reached: boolean;
  enrolled_at: string;
  due_at: string | null;
  ended_at: string | null;
  steps: readonly DoneStep[];
}

export interface DoneStep {
  step: number;
  type: Step['type'];
  at: string;
  outcome: 'done' | 'refused' | 'then' | 'else';
  reason: string | null;
  message_id: string | null;
}

/** The request of a webhook step, as `journey.posts` answers it. */
export interface Post {
  id: string;
  email: string | null;
  step: number;
  state: string;
  created_at: string;
  attempts: readonly { at: string; status: number | null; error: string | null; answer: string | null }[];
}

/** What is wrong with the file of a journey, and on which line. */
export interface LineFault {
  line: number;
  reason: string;
}

/** What is kept for the next version. */
export interface Draft {
  revision: number;
  changed_at: string;
  changed_by: string;
  from_version: number;
  errors: readonly LineFault[];
  text: string;
  /** The fields of the file, whether they make sense or not. */
  definition: unknown;
}

/** A step that came, went or was changed; the ways of a branch are left out. */
export interface StepChange {
  change: 'came' | 'went' | 'changed';
  before: Step | null;
  now: Step | null;
}

/** What `journey.versions` answers of one. */
export interface Version {
  version: number;
  created_at: string;
  goal: Goal | null;
  goal_before: Goal | null;
  steps: number;
  changes: readonly StepChange[];
}

/** What `journey.dry-run` answers of one contact. */
export interface DryPath {
  email: string;
  /** False: no contact has this address. */
  known: boolean;
  /** Why it would not enter. */
  refused: string | null;
  status: Enrolled['status'] | null;
  reason: string | null;
  entered_at: string | null;
  goal_at: string | null;
  ended_at: string | null;
  steps: readonly (Step & Pick<DoneStep, 'at' | 'outcome' | 'reason'>)[];
  events: readonly { at: string; event: 'open' | 'click' | 'conversion'; step: number }[];
}
