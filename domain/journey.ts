export const JOURNEY_STATUSES = ['draft', 'active', 'paused'] as const;
export type JourneyStatus = (typeof JOURNEY_STATUSES)[number];

export const JOURNEY_TRIGGERS = ['form_subscribe', 'audience_join', 'api'] as const;
export type JourneyTrigger = (typeof JOURNEY_TRIGGERS)[number];

export const GOAL_EVENTS = ['conversion', 'click', 'open'] as const;

/** One step of a journey (DESIGN section 6). Waits are ms. */
export type JourneyStep =
  | { kind: 'email'; domainId: number; subject: string; html: string; text: string | null }
  | { kind: 'wait'; ms: number }
  | { kind: 'webhook'; url: string }
  | { kind: 'add_to_audience'; audienceId: number };

/** What makes an enrolment reach its goal, and whether that ends it (DESIGN section 6). */
export interface JourneyGoal {
  event: (typeof GOAL_EVENTS)[number];
  ends: boolean;
}

/** An automated sequence (spec section 2, Journey). All times are ms. */
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
  /** Signs the posts of its webhook steps (spec section 6), sealed. */
  secretSealed: string;
  createdAt: number;
}

/** What the secret of a journey is sealed for (see Keyring.seal). */
export const journeySecretContext = (workspaceId: number): string => `journey of workspace ${workspaceId}`;

/** Letters and digits of the secret of a journey, as many as a webhook's (spec section 6). */
export const JOURNEY_SECRET_LENGTH = 40;

/** A contact on its way through a journey; it enters each journey once at the most (spec, POST /journeys/{id}/enroll). */
export interface Enrollment {
  id: string;
  workspaceId: number;
  journeyId: number;
  contactId: number;
  /** The step that is next, from 0. */
  step: number;
  /** When the next step is due, ms; null once it ended. */
  dueAt: number | null;
  goalReached: boolean;
  enrolledAt: number;
}
