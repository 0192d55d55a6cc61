import { at, project, type Operation } from './operation.js';

const BASE = '/error_tracking';

const MAINTAINER = project('maintainer');

/** How a project tracks its errors: for Maintainers, whoever may see the project. */
export const ERROR_TRACKING: readonly Operation[] = [
  {
    route: `GET /projects/:id${BASE}/usage`,
    path: at('projects', `${BASE}/usage`),
    who: MAINTAINER,
    allowed: 200,
  },
];
