/** Creates and changes applications of the catalogue. They are read by services/read. */
import type { Context } from '../../context.js';
import { Application } from '../../entities/Application.js';
import { permit } from '../permit.js';
import { change, changeBy, requireOwner, requireRecord, requireVersion, type Update } from '../records/change.js';
import { type InputField, inputFields, requireGuids, requireInput } from '../records/input.js';

/** The fields of a create's or an update's input. */
export const applicationInput = (mode: 'create' | 'update'): InputField[] =>
  inputFields(Application, { mode, also: ['isRequestable', mode === 'update' ? 'isActive' : 'applicationGuid'] });

/** The fields of a create by the documented REST operation, which takes no guid and has a spelling of its own. */
export const documentedApplicationInput = (): InputField[] =>
  inputFields(Application, { mode: 'create', names: { isIframe: 'isIFrame' } }).filter(({ field }) =>
    field.faces.includes('rest'),
  );

/** Creates an active application. Throws BAD_USER_INPUT, CONFLICT for a guid that exists already. */
export function createApplication(
  context: Context,
  input: unknown,
  fields = applicationInput('create'),
): Promise<Application> {
  return changeBy(context, fields, input, async (em, values) => {
    await requireOwner(em, values);
    await requireVersion(context, em);
    return em.create(Application, { ...values, isActive: true } as Partial<Application>, { partial: true });
  });
}

/** Throws BAD_USER_INPUT, NOT_FOUND, CONFLICT. */
export const updateApplication: Update<Application, unknown> = async (context, applicationGuid, input, ifRevision) => {
  permit(context, 'admin:write');
  const guids = requireGuids({ applicationGuid });
  const values = requireInput(applicationInput('update'), input);
  return change(context, 'admin:write', async (em) => {
    const application = await requireRecord(em, Application, guids, 'application', ifRevision);
    await requireOwner(em, values);
    return em.assign(application, values as Partial<Application>);
  });
};
