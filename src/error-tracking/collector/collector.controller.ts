import {
  All,
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
import { NoAuthentication } from '../../core/access/access.decorator.js';
import { atRoot } from '../../core/http/paths.js';
import { drainBriefly, RawBody } from '../../core/http/raw-bodies.js';
import { sendBody } from '../../core/http/send-response.js';
import { COLLECTOR_PATH } from '../error-values.js';
import { CurrentReporter, ErrorReport, type Reporter } from './collector.guard.js';
import type { DeliveryAnswer } from './event-intake.service.js';
import { IngestError, refusalOf } from './ingest-error.js';
import { COLLECTOR_ENDPOINTS, ReportReader } from './report-reader.service.js';

/** Writes refusals in the form that SDKs read, while they can still be sending. */
@Catch()
class CollectorErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response = http.getResponse<Response>();
    const refusal = refusalOf(error);
    drainBriefly(http.getRequest<Request>(), response);
    if (refusal === null) {
      http.getNext<(error: unknown) => void>()(error);
      return;
    }
    for (const [name, value] of Object.entries(refusal.headers)) response.setHeader(name, value);
    sendBody(response, refusal.status, refusal.body);
  }
}

const REPORT_PATHS = COLLECTOR_ENDPOINTS.map((name) => `api/:project/${name}`);

/** The addresses that SDKs report to. Order of the checks: path, method, project, key, limit, body. */
@Controller(atRoot(COLLECTOR_PATH.slice(1)))
@UseFilters(CollectorErrorFilter)
export class CollectorController {
  constructor(private readonly reader: ReportReader) {}

  /** Stores a reported event, with or without an envelope, and counts security reports of browsers. */
  @Post(REPORT_PATHS)
  @HttpCode(200)
  @ErrorReport()
  receive(
    @CurrentReporter() reporter: Reporter,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DeliveryAnswer> {
    const last = request.path.split('/').findLast((part) => part !== '');
    const endpoint = COLLECTOR_ENDPOINTS.find((name) => name === last);
    if (endpoint === undefined) throw new Error(`No endpoint of the collector: ${request.path}`);
    return this.reader.receive(endpoint, reporter, { request, response });
  }

  /** Refuses other methods than POST. */
  @All(REPORT_PATHS)
  @RawBody()
  @NoAuthentication()
  refuseMethod(): never {
    const headers = { Allow: 'POST, OPTIONS' };
    throw new IngestError(405, '405 Method Not Allowed', { headers });
  }

  /** Refuses endpoints that there are not. */
  @All(['', '*path'])
  @RawBody()
  @NoAuthentication()
  refusePath(): never {
    throw new IngestError(404, '404 Not Found');
  }
}
