import {
  Catch,
  Controller,
  HttpCode,
  Post,
  Req,
  Res,
  UseFilters,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { RouteNotFoundError } from '../../core/errors.js';
import { sendBody } from '../../core/http/send-response.js';
import { atRoot } from '../../core/http/root-path.js';
import { AlertIngest } from '../ingest/alert-ingest.service.js';
import type { AlertSource, TouchedAlert } from '../ingest/alert-source.js';
import { AlertWebhook, CallingSource } from './alert-webhook.guard.js';
import { WebhookAdmission } from './webhook-admission.service.js';

/** Writes 404 as JSON at every address that looks like one of a webhook: a tool cannot read pages. */
@Catch(RouteNotFoundError)
class NotFoundAsJson implements ExceptionFilter {
  catch({ status, body }: RouteNotFoundError, host: ArgumentsHost): void {
    sendBody(host.switchToHttp().getResponse<Response>(), status, body);
  }
}

/** The URLs that monitoring tools post to, and misspelled ones near them. */
@Controller(atRoot(':group/*project/alerts'))
@UseFilters(NotFoundAsJson)
export class AlertWebhookController {
  constructor(
    private readonly admission: WebhookAdmission,
    private readonly ingest: AlertIngest,
  ) {}

  /** Stores the alerts of a call and returns those it touched. */
  @Post(['notify', 'notify.:format', 'notify/*rest'])
  @HttpCode(200)
  @AlertWebhook()
  notify(
    @CallingSource() source: AlertSource,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TouchedAlert[]> {
    return this.admission.run({ source, request, response }, (body) =>
      this.ingest.receive(source, body, 'webhook'),
    );
  }
}
