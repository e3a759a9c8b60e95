export interface PlanRow {
  id: number;
  name: string;
  description: string;
  /** US dollars a month, two decimals; "0" for Free. */
  price: string;
  alertLimit: number;
  isPopular: boolean;
  features: string[];
}

/** The four plans of the product; the database's rows are made from them at every start. */
export const planList: readonly PlanRow[] = [
  {
    id: 1,
    name: 'Free',
    description: 'Forever free',
    price: '0',
    alertLimit: 1,
    isPopular: false,
    features: ['1 active alert', 'Email notifications', 'Basic search filters'],
  },
  {
    id: 2,
    name: 'Starter',
    description: 'For one serious search',
    price: '4.99',
    alertLimit: 5,
    isPopular: false,
    features: ['5 alerts', 'Email and SMS', 'Priority processing'],
  },
  {
    id: 3,
    name: 'Pro',
    description: 'For people who buy often',
    price: '14.99',
    alertLimit: 20,
    isPopular: true,
    features: ['20 alerts', 'Email and SMS', 'Premium support'],
  },
  {
    id: 4,
    name: 'Elite',
    description: 'For dealers',
    price: '69.99',
    alertLimit: 100,
    isPopular: false,
    features: ['100 alerts', 'Email and SMS', 'API access'],
  },
];
