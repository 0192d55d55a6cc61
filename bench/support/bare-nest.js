import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';

/** Answers a fixed small object, as the first example of every Nest book. */
class HelloController {
  hello() {
    return { message: 'Hello World!' };
  }
}
Reflect.decorate(
  [Get('hello')],
  HelloController.prototype,
  'hello',
  Object.getOwnPropertyDescriptor(HelloController.prototype, 'hello'),
);
Controller()(HelloController);

class HelloModule {}
Module({ controllers: [HelloController] })(HelloModule);

/** Bare Nest on Express, without anything of ours: what the framework itself costs. */
const app = await NestFactory.create(HelloModule, new ExpressAdapter(), { logger: false });
await app.listen(Number(process.env['PORT']), '127.0.0.1');
