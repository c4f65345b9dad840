import Joi from 'joi';
import { journeyStatus, journeyTrigger } from '../rules/enums';
import { named } from './closed';
import { address, id } from './fields';

const journey = named(
  'Journey',
  {
    id: id.description('The id of the journey.'),
    name: Joi.string().description('The name of the journey.'),
    status: journeyStatus,
    trigger_type: journeyTrigger,
  },
  'An automated sequence.',
).example({ id: 5, name: 'Selamat datang', status: 'active', trigger_type: 'api' });

/** GET /journeys. */
export const journeysAnswer = Joi.array().items(journey);

/** POST /journeys/{id}/enroll. */
export const enrollmentAnswer = named(
  'Enrollment',
  {
    journey_id: id.description('The journey.'),
    email: address.description('The address of the contact.'),
    enrolled: Joi.boolean().description('false when the contact entered this journey before; no contact enters twice.'),
    message: Joi.string().description('The outcome in words, in Indonesian.'),
  },
  'A contact in a journey.',
);
