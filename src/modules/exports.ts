/** The lists that the modules add to those that the console saves as files. */
import { usageList } from './insight/usage.js';
import { connectorList } from './scim/managedByConnectors.js';

export const exportedLists = {
  usage: usageList,
  connectors: connectorList,
};
