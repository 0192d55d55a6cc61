import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  HttpException,
  Module,
  Param,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import type { Express, Request, Response } from 'express';
import { DataSource } from 'typeorm';
import { NoAuthentication } from '../../src/core/access/access.decorator.js';
import { ConflictError } from '../../src/core/errors.js';

/** Routes that show what the HTTP platform makes of a request. */
@Controller('probe')
@NoAuthentication()
class ProbeController {
  constructor(private readonly dataSource: DataSource) {}

  @Get('items/:id')
  item(@Param('id') id: string): object {
    return { id };
  }

  @Get('query')
  query(@Query() query: object): object {
    return { query };
  }

  @Get('long')
  long(): object {
    return { text: 'x'.repeat(20_000_000) };
  }

  @Post('items')
  create(@Body() body: unknown): object {
    return { body: body ?? null };
  }

  @Delete('items/:id')
  @HttpCode(204)
  remove(): void {
    return undefined;
  }

  @Get('prototypes')
  prototypes(@Req() request: Request, @Res() response: Response): void {
    const app = request.app as unknown as Express;
    const requestPrototype: unknown = Object.getPrototypeOf(request);
    const responsePrototype: unknown = Object.getPrototypeOf(response);
    response.json({
      request: requestPrototype === app.request,
      response: responsePrototype === app.response,
      host: request.get('host'),
    });
  }

  @Get('address')
  address(@Req() request: Request): object {
    return { ip: request.ip };
  }

  @Get('conflict')
  conflict(): never {
    throw new ConflictError('Name has already been taken');
  }

  @Get('teapot')
  teapot(): never {
    throw new HttpException('internal name of a file', 418);
  }

  @Get('bug')
  bug(): never {
    throw new Error('the secret is 42', { cause: new TypeError('deep') });
  }

  @Get('endless')
  endless(): never {
    const error = new Error('an error that is its own cause');
    throw Object.assign(error, { cause: error });
  }

  @Get('slow-query')
  async slowQuery(): Promise<unknown> {
    return this.dataSource.transaction(async (tx) => {
      await tx.query('SET LOCAL statement_timeout = 50');
      return tx.query<unknown>('SELECT pg_sleep(5)');
    });
  }

  @Get('huge-number')
  hugeNumber(): Promise<unknown> {
    return this.dataSource.query('SELECT $1::bigint', ['99999999999999999999']);
  }

  @Get('busy-pool')
  async busyPool(): Promise<unknown> {
    throw await Promise.resolve(new Error('timeout exceeded when trying to connect'));
  }

  @Get('half-sent')
  async halfSent(@Res() response: Response): Promise<never> {
    await new Promise((resolve) => response.write('{"begun":', resolve));
    throw new Error('too late for an answer');
  }
}

@Module({ controllers: [ProbeController] })
export class ProbeModule {}
