import Joi from 'joi';
import type { Journey } from '../../domain/journeys/journey';
import { journeyStatus, journeyTrigger } from '../rules/enums';
import { named, type ValueOf } from './closed';
import { address, id } from './fields';

/** A journey of a list (docs/contract.md#list-of-journeys). */
export const journeyAnswer = named(
  'Journey',
  {
    id: id.description('The id of the journey.'),
    name: Joi.string().description('The name of the journey.'),
    status: journeyStatus,
    trigger_type: journeyTrigger,
  },
  'Emails sent step by step after a trigger.',
).example({ id: 5, name: 'Selamat datang', status: 'active', trigger_type: 'api' });

export const presentJourney = ({ id, name, status, triggerType }: Journey): ValueOf<typeof journeyAnswer> => ({
  id,
  name,
  status,
  trigger_type: triggerType,
});

/** POST /journeys/{id}/enroll. */
export const enrollmentAnswer = named(
  'Enrollment',
  {
    journey_id: id.description('The journey.'),
    email: address.description('The email address of the contact.'),
    enrolled: Joi.boolean().description('false when the contact entered this journey before; no contact enters twice.'),
    message: Joi.string().description('The result as a sentence, in Indonesian.'),
  },
  'A contact in a journey.',
);
