import Joi from 'joi';
import { text } from '../rules/text';
import type { Shape } from '../rules/normalize';

const MAX_NAME = 255;
const MAX_DESCRIPTION = 1_000;

/** The fields of POST /audiences (docs/contract.md#create-an-audience). */
export const newAudienceShape = { name: 'text', description: 'text' } as const satisfies Shape;

export interface NewAudienceFields {
  name: string;
  description?: string;
}

export const newAudienceRules = Joi.object<NewAudienceFields>({
  name: text(MAX_NAME).required(),
  description: text(MAX_DESCRIPTION),
});
