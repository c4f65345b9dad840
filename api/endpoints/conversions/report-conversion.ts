import { reportConversion as report } from '../../../operations/conversions/report-conversion';
import { validationMessage } from '../../../schemas/rules/validation-messages';
import { newConversionRules, newConversionShape } from '../../../schemas/conversions/new-conversion';
import { invalidFields } from '../../errors';
import { currencyWarnings } from '../../../schemas/conversions/currency-warning';
import { route } from '../../route';

/** POST /conversions: 201 for a sale, 200 for a repeated order_id (docs/contract.md#report-a-conversion). */
export const reportConversion = route({
  method: 'POST',
  path: '/conversions',
  scope: 'send_email',
  emailModule: 'required',
  body: { shape: newConversionShape, rules: newConversionRules },
  async handle(deps, { workspace, fields, readBody }) {
    const body = await fields();
    const outcome = await report(deps, workspace.id, body);
    if (outcome === 'future') {
      throw invalidFields({ occurred_at: [validationMessage('timestamp.future', 'occurred_at')] });
    }
    const duplicate = outcome === 'duplicate';
    const warnings = duplicate ? [] : currencyWarnings((await readBody()).fields, body.amount);
    return {
      status: duplicate ? 200 : 201,
      body: { received: true, duplicate, ...(warnings.length > 0 && { warnings }) },
    };
  },
});
