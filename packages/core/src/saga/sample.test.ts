import { describeSagas } from '../testing/saga.ts';
import { adoptMachine, createMachine, registerMachine, sampleScenario } from './sample.fixture.ts';

describeSagas('sample', [sampleScenario(createMachine), sampleScenario(adoptMachine), sampleScenario(registerMachine)]);
