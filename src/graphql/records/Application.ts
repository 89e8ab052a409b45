/** Changes of applications. */
import { Application } from '../../entities/Application.js';
import { applicationInput, createApplication, updateApplication } from '../../services/catalogue/applications.js';
import { declareChanges } from '../schema/recordMutations.js';

export const declareApplication = (): void =>
  declareChanges({
    record: Application,
    key: 'applicationGuid',
    fields: applicationInput,
    create: createApplication,
    update: updateApplication,
  });
