/** Every command, in the order of the help. */

import type { Command } from '../cli/command.js';
import { clientCommands, keyCommands, serviceCommands } from '../cli/commands.js';
import { compareCommandsFrom } from '../cli/compareCommandList.js';
import { catalogueFileCommands } from './catalogueFile/commands.js';
import { streamCommandsFrom } from './events/commands.js';
import { reviewExportCommand } from './governance/commands.js';
import { explainCommand, usageCommand } from './insight/commands.js';
import { connectorCommands } from './scim/commands.js';
import { transferCommands } from './transfer/commands.js';

/** @param startedIn the operator's folder, to which paths are relative */
export const commandsFrom = (startedIn: string): Command[] => [
  ...transferCommands(startedIn),
  ...catalogueFileCommands(startedIn),
  ...clientCommands(startedIn),
  ...connectorCommands,
  ...streamCommandsFrom(startedIn),
  ...keyCommands,
  explainCommand,
  ...compareCommandsFrom(startedIn),
  usageCommand,
  reviewExportCommand,
  ...serviceCommands,
];
