export const JOURNEY_STATUSES = ['draft', 'active', 'paused'] as const;
export type JourneyStatus = (typeof JOURNEY_STATUSES)[number];

export const JOURNEY_TRIGGERS = ['form_subscribe', 'audience_join', 'api'] as const;
export type JourneyTrigger = (typeof JOURNEY_TRIGGERS)[number];

export const GOAL_EVENTS = ['conversion', 'click', 'open'] as const;

/** One step of a journey (docs/contract.md#steps-of-a-journey). Waits are ms. */
export type JourneyStep =
  | { kind: 'email'; domainId: number; subject: string; html: string; text: string | null }
  | { kind: 'wait'; ms: number }
  | { kind: 'webhook'; url: string }
  | { kind: 'add_to_audience'; audienceId: number };

/**
 * What counts as the goal of an enrolment, and whether reaching it ends the enrolment
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
  steps: JourneyStep[];
  goal: JourneyGoal | null;
  /** Signs the requests of its webhook steps (docs/contract.md#journey-webhook-step); sealed. */
  secretSealed: string;
  createdAt: number;
}

/** The sealing context of a journey's secret (see Keyring.seal). */
export const journeySecretContext = (workspaceId: number): string => `journey of workspace ${workspaceId}`;

/**
 * Length of a journey's secret in letters and digits, the same as a webhook's (docs/contract.md#journey-webhook-step).
 */
export const JOURNEY_SECRET_LENGTH = 40;

/** A contact in a journey; a contact enters each journey at most once (docs/contract.md#enrol-a-contact). */
export interface Enrollment {
  id: string;
  workspaceId: number;
  journeyId: number;
  contactId: number;
  /** The next step, from 0. */
  step: number;
  /** When the next step is due, ms; null once the enrolment ended. */
  dueAt: number | null;
  goalReached: boolean;
  enrolledAt: number;
}
