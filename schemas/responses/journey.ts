import Joi from 'joi';
import { JOURNEY_STATUSES, JOURNEY_TRIGGERS } from '../../domain/journey';
import { named } from './closed';
import { address, id } from './fields';

const journey = named('Journey', {
  id,
  name: Joi.string(),
  status: Joi.valid(...JOURNEY_STATUSES),
  trigger_type: Joi.valid(...JOURNEY_TRIGGERS),
}).example({ id: 5, name: 'Selamat datang', status: 'active', trigger_type: 'api' });

/** GET /journeys. */
export const journeysAnswer = Joi.array().items(journey);

/** POST /journeys/{id}/enroll. */
export const enrollmentAnswer = named('Enrollment', {
  journey_id: id,
  email: address,
  enrolled: Joi.boolean().description('false when the contact entered this journey before; no contact enters twice.'),
  message: Joi.string(),
});
