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
import { RawBody } from '../../core/http/raw-body-routes.js';
import { sendBody } from '../../core/http/reply.js';
import { atRoot } from '../../core/http/root-path.js';
import { COLLECTOR_PATH } from '../error-values.js';
import { CurrentReporter, ErrorReport, type Reporter } from './collector.guard.js';
import type { DeliveryAnswer } from './event-intake.service.js';
import { IngestError, refusalOf } from './ingest-error.js';
import { ReportReader } from './report-reader.service.js';
import { drainBriefly } from './wire-body.js';

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

/** The addresses that SDKs report to. Order of the checks: path, method, project, key, limit, body. */
@Controller(atRoot(COLLECTOR_PATH.slice(1)))
@UseFilters(CollectorErrorFilter)
export class CollectorController {
  constructor(private readonly reader: ReportReader) {}

  /** Stores the event of an envelope. */
  @Post('api/:project/envelope')
  @HttpCode(200)
  @ErrorReport()
  envelope(
    @CurrentReporter() reporter: Reporter,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DeliveryAnswer> {
    return this.reader.receive('envelope', reporter, { request, response });
  }

  /** Stores an event that comes without an envelope, as older SDKs send it. */
  @Post('api/:project/store')
  @HttpCode(200)
  @ErrorReport()
  store(
    @CurrentReporter() reporter: Reporter,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DeliveryAnswer> {
    return this.reader.receive('store', reporter, { request, response });
  }

  /** Counts a report of a browser about the security of a page, which is no error of a program. */
  @Post('api/:project/security')
  @HttpCode(200)
  @ErrorReport()
  security(
    @CurrentReporter() reporter: Reporter,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DeliveryAnswer> {
    return this.reader.receive('security', reporter, { request, response });
  }

  /** Refuses other methods than POST. */
  @All(['api/:project/envelope', 'api/:project/store', 'api/:project/security'])
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
