/** Changes of applications. */
import { Application } from '../entities/Application.js';
import { applicationInput, createApplication, updateApplication } from '../services/applications.js';
import { declareChanges } from './recordOperations.js';

export const declareApplication = (): void =>
  declareChanges({
    record: Application,
    key: 'applicationGuid',
    fields: applicationInput,
    create: createApplication,
    update: updateApplication,
  });
