import Joi from 'joi';
import { emailAddress } from './address-rules';
import type { Shape } from './normalize';

export const suppressionCheckShape = { email: 'text' } as const satisfies Shape;

export interface SuppressionCheckQuery {
  email: string;
}

/** The query of GET /suppressions (docs/contract.md#suppression-check). */
export const suppressionCheckRules = Joi.object<SuppressionCheckQuery>({ email: emailAddress.required() });
