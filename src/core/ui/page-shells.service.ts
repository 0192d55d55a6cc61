import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { InstanceSettings } from '../settings/instance-settings.service.js';
import { packageVersion } from '../version/package-version.js';
import { Assets } from './assets.service.js';
import { FlashCookies } from './flash-cookies.service.js';
import { RequestShell } from './request-shell.js';
import type { PageShell } from './shell.js';

const VERSION = packageVersion();

/** Makes the shell of each request for a page. */
@Injectable()
export class PageShells {
  constructor(
    private readonly assets: Assets,
    private readonly flash: FlashCookies,
    private readonly settings: InstanceSettings,
  ) {}

  /** The shell for the answer to this request. */
  of(request: Request, response: Response): PageShell {
    const site = {
      icon: this.assets.pathOf('icon.svg'),
      styleSheet: this.assets.pathOf('app.css'),
      script: this.assets.pathOf('htmx.js'),
      version: VERSION,
      mayRegister: this.settings.values.signup_enabled,
    };
    return new RequestShell({ request, response, flash: this.flash, site });
  }
}
