export const JOURNEY_STATUSES = ['draft', 'active', 'paused'] as const;
export type JourneyStatus = (typeof JOURNEY_STATUSES)[number];

export const JOURNEY_TRIGGERS = ['form_subscribe', 'audience_join', 'api'] as const;
export type JourneyTrigger = (typeof JOURNEY_TRIGGERS)[number];

/** The triggers by which contacts enter without a call of their own. */
export type EntryTrigger = Exclude<JourneyTrigger, 'api'>;

export const GOAL_EVENTS = ['conversion', 'click', 'open'] as const;

/** What a branch asks: was the goal reached, or the mail of an earlier step opened or clicked? */
export type BranchCondition = { kind: 'goal' } | { kind: 'opened' | 'clicked'; step: number };

/**
 * One step of a journey (docs/contract.md#steps-of-a-journey). Waits are ms. Steps count from 1 in the order of the
 * file, those within a branch included. After a branch the journey goes on behind it.
 */
export type JourneyStep =
  | { kind: 'email'; domainId: number; subject: string; html: string; text: string | null }
  | { kind: 'wait'; ms: number }
  | { kind: 'webhook'; url: string }
  | { kind: 'add_to_audience'; audienceId: number }
  | { kind: 'branch'; on: BranchCondition; then: JourneyStep[]; else: JourneyStep[] };

/**
 * What counts as the goal of an enrollment, and whether reaching it ends the enrollment
 * (docs/contract.md#steps-of-a-journey).
 */
export interface JourneyGoal {
  event: (typeof GOAL_EVENTS)[number];
  ends: boolean;
}

/** An automated sequence (docs/contract.md#list-of-journeys). All times are ms. */
export interface Journey {
  id: number;
  workspaceId: number;
  name: string;
  status: JourneyStatus;
  triggerType: JourneyTrigger;
  /** The audience whose joins trigger it; null for other triggers. */
  audienceId: number | null;
  /** The newest version. Contacts under way finish on the one they began. */
  version: number;
  /** The steps and the goal of the newest version. */
  steps: JourneyStep[];
  goal: JourneyGoal | null;
  /** Signs the requests of its webhook steps (docs/contract.md#journey-webhook-step); sealed. */
  secretSealed: string;
  createdAt: number;
}

/** What the operator writes of a journey. */
export type JourneyDefinition = Pick<Journey, 'name' | 'triggerType' | 'audienceId' | 'steps' | 'goal'>;

/** What a journey does, as it was at one time. A version never changes. */
export interface JourneyVersion {
  journeyId: number;
  /** From 1. */
  version: number;
  steps: JourneyStep[];
  goal: JourneyGoal | null;
  createdAt: number;
}

/** The sealing context of a journey's secret (see Keyring.seal). */
export const journeySecretContext = (workspaceId: number): string => `journey of workspace ${workspaceId}`;

/**
 * Length of a journey's secret in letters and digits, the same as a webhook's (docs/contract.md#journey-webhook-step).
 */
export const JOURNEY_SECRET_LENGTH = 40;
