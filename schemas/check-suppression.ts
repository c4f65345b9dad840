import Joi from 'joi';
import { emailAddress } from './address-rules';
import type { Shape } from './normalize';

export const suppressionCheckShape = { email: 'text' } as const satisfies Shape;

export interface SuppressionCheckQuery {
  email: string;
}

/** The query of GET /suppressions (spec section 4). */
export const suppressionCheckRules = Joi.object<SuppressionCheckQuery>({ email: emailAddress.required() });
