/** The documented paths under /api/applications. */
import { Router } from 'express';
import type { Dependencies } from '../context.js';

export function applicationRoutes(_dependencies: Dependencies): Router {
  return Router();
}
