import { parentPort, workerData } from 'node:worker_threads';
import { fitPriceModel, type PricedCar } from '../domain/prices/fit-price-model.ts';

/** What the thread is started with. Its one message is the model. */
export interface FitRequest {
  cars: readonly PricedCar[];
  /** As in `PriceModel`. */
  now: number;
}

const { cars, now } = workerData as FitRequest;
parentPort?.postMessage(fitPriceModel(cars, now));
