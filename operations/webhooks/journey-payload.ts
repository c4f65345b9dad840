import { webhookTime } from '../../schemas/rules/timestamps';

/** What the endpoint of a webhook step receives, in this order (docs/contract.md#journey-webhook-step). */
export interface JourneyPayload {
  event: 'journey.webhook';
  journey: { id: number; name: string };
  contact: { email: string; name: string | null };
  /** The number of the step. */
  step: number;
  goal_reached: boolean;
  /** When the step was reached: `YYYY-MM-DDTHH:MM:SS+00:00` */
  occurred_at: string;
}

/** The payload as of now; `occurredAt` in ms. */
export const journeyPayload = (facts: {
  journey: JourneyPayload['journey'];
  contact: JourneyPayload['contact'];
  step: number;
  goalReached: boolean;
  occurredAt: number;
}): JourneyPayload => ({
  event: 'journey.webhook',
  journey: { id: facts.journey.id, name: facts.journey.name },
  contact: { email: facts.contact.email, name: facts.contact.name },
  step: facts.step,
  goal_reached: facts.goalReached,
  occurred_at: webhookTime(facts.occurredAt),
});
