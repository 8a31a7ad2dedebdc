// What is under way, whoever asked for it: a timer that will do something, a question, a picture that is laid out. While there
// is anything of it the page says so (`data-busy`), for whoever must wait until all of it is seen.
let count = 0;

export function begin() {
  if (count++ === 0) document.documentElement.dataset.busy = 'true';
  let over = false;
  return () => {
    if (over) return;
    over = true;
    setTimeout(() => --count === 0 && delete document.documentElement.dataset.busy); // what follows from it at once has begun by then
  };
}

export async function during(work) {
  const end = begin();
  try {
    return await work;
  } finally {
    end();
  }
}
