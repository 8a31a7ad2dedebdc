// Graphviz in a thread of its own: two texts come in, what it makes of them goes out. It may take long; the page does not wait.
import { instance } from '@viz-js/viz';

const graphviz = await instance();
postMessage({ ready: true });

onmessage = ({ data: { rightwards, downwards, wide } }) => {
  try {
    const right = graphviz.renderJSON(rightwards);
    postMessage({ right, down: Number(right.bb.split(',')[2]) > wide ? graphviz.renderJSON(downwards) : undefined });
  } catch (error) {
    postMessage({ broken: String(error?.message ?? error) });
  }
};
