/** Applications of the catalogue: made and changed. What faces list of them is in applicationListing. */
import type { Context } from '../context.js';
import { Application } from '../entities/Application.js';
import { conflict, notFound } from '../errors.js';
import { change, permit } from './change.js';
import { type InputField, inputFields, requireGuids, requireInput } from './inputRules.js';

type Names = Readonly<Record<string, string>>;

/** The fields of a create's or an update's input; `names` are a face's own spellings. */
export const applicationInput = (mode: 'create' | 'update', names: Names = {}): InputField[] =>
  inputFields(Application, { mode, names, also: mode === 'update' ? ['isActive'] : [] });

/** Makes an application, which is active. Throws BAD_USER_INPUT. */
export async function createApplication(context: Context, input: unknown, names: Names = {}): Promise<Application> {
  permit(context, 'admin:write');
  const values = requireInput(applicationInput('create', names), input);
  return change(context, 'admin:write', async (em) =>
    em.create(Application, { ...values, isActive: true } as Partial<Application>, { partial: true }),
  );
}

/**
 * Changes the fields that are present; null clears. Throws BAD_USER_INPUT, NOT_FOUND, and CONFLICT when somebody else
 * changed it since `ifRevision`.
 */
export async function updateApplication(
  context: Context,
  applicationGuid: unknown,
  input: unknown,
  ifRevision?: number | null,
): Promise<Application> {
  permit(context, 'admin:write');
  const guids = requireGuids({ applicationGuid });
  const values = requireInput(applicationInput('update'), input);
  return change(context, 'admin:write', async (em) => {
    const application = await em.findOne(Application, guids);
    if (!application) throw notFound('The application');
    if (typeof ifRevision === 'number' && application.revision !== ifRevision)
      throw conflict('Somebody else changed it meanwhile.');
    return em.assign(application, values as Partial<Application>);
  });
}
