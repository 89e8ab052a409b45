/** bin/gatehouse review export: the evidence of an access review. */
import { OperatorError } from '../errors.js';
import { notice, withContext, write } from './session.js';

export async function exportReview(guid: string, format: 'csv' | 'json'): Promise<void> {
  const { isGuid } = await import('../entities/valueForms.js');
  if (!isGuid(guid)) throw new OperatorError('GUID must be the reviewGuid of an access review.');
  await withContext(async (context) => {
    const { writeEvidence } = await import('../services/reviews/evidence.js');
    const count = await writeEvidence(context, guid, format, write);
    notice(`Exported ${count} grants.`);
  });
}
