/* For MAP_ANONYMOUS. NOLINTNEXTLINE(bugprone-reserved-identifier) */
#define _DEFAULT_SOURCE
#include "sim/conformance/fence.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MARK 0x6c62705f6b697421u /* of a block of ours */

enum {
    SLACK_BYTE = 0xc3,
    FENCED_MAX = 4096, /* blocks; the system has a limit of mappings */
    ALIGNMENT = 16
};

struct fence_block {
    uint64_t mark;
    struct fence_block *next, *previous;
    size_t size;   /* as asked for */
    void *mapping; /* where the memory under it begins */
    size_t mapped; /* bytes; 0: from malloc */
};

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static size_t round_up(size_t size, size_t step)
{
    return (size + step - 1) / step * step;
}

/* Pages for size bytes and one that nobody may touch. NULL: none. */
static char *map_pages(size_t size, size_t *ret_mapped)
{
    size_t page = page_size();
    size_t inside = round_up(size ? size : 1, page);
    char *mapping;

    *ret_mapped = inside + page;
    mapping = mmap(NULL, *ret_mapped, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED)
        return NULL;
    if (mprotect(mapping + inside, page, PROT_NONE) == 0)
        return mapping;
    munmap(mapping, *ret_mapped);
    return NULL;
}

void *fence_make(size_t size)
{
    size_t mapped;
    char *mapping = map_pages(size, &mapped);

    if (!mapping)
        abort();
    return mapping + (mapped - page_size()) - round_up(size, 8);
}

void fence_drop(void *memory, size_t size)
{
    size_t page = page_size();
    size_t inside = round_up(size ? size : 1, page);

    if (memory)
        munmap((char *)memory + round_up(size, 8) - inside, inside + page);
}

/* ---- the allocator ---- */

static size_t room_of(size_t size)
{
    return round_up(size ? size : 1, ALIGNMENT);
}

static char *memory_of(struct fence_block *block)
{
    return (char *)block + round_up(sizeof *block, ALIGNMENT);
}

static struct fence_block *make_block(struct fence_heap *heap, size_t size)
{
    size_t head = round_up(sizeof(struct fence_block), ALIGNMENT);
    size_t whole = head + room_of(size), mapped = 0;
    struct fence_block *block;
    char *mapping;

    if (heap->live < FENCED_MAX) {
        mapping = map_pages(whole, &mapped);
        if (!mapping)
            return NULL;
        block = (void *)(mapping + (mapped - page_size()) - whole);
    } else {
        mapping = malloc(whole + ALIGNMENT);
        if (!mapping)
            return NULL;
        block = (void *)mapping;
    }
    *block = (struct fence_block){
        .mark = MARK, .size = size, .mapping = mapping, .mapped = mapped};
    memset(memory_of(block), heap->fill, size);
    memset(memory_of(block) + size, SLACK_BYTE, room_of(size) - size);
    return block;
}

void *fence_allocate(struct fence_heap *heap, size_t size)
{
    struct fence_block *block;

    if (++heap->asked == heap->fail_at || size > heap->limit ||
        heap->bytes + size > heap->limit) {
        heap->refused = true;
        return NULL;
    }
    block = make_block(heap, size);
    if (!block) {
        heap->refused = true;
        return NULL;
    }
    block->next = heap->blocks;
    if (heap->blocks)
        heap->blocks->previous = block;
    heap->blocks = block;
    heap->live++;
    heap->given++;
    heap->bytes += size;
    return memory_of(block);
}

static void inspect_block(struct fence_heap *heap, struct fence_block *block)
{
    const unsigned char *end =
        (const unsigned char *)memory_of(block) + block->size;

    for (size_t i = 0; i < room_of(block->size) - block->size; i++)
        heap->overrun |= end[i] != SLACK_BYTE;
}

void fence_inspect(struct fence_heap *heap)
{
    for (struct fence_block *block = heap->blocks; block; block = block->next)
        inspect_block(heap, block);
}

void fence_release(struct fence_heap *heap, void *memory)
{
    struct fence_block *block;

    if (!memory)
        return;
    if ((uintptr_t)memory % ALIGNMENT != 0) {
        heap->strange_release = true;
        return;
    }
    block = (void *)((char *)memory -
                     round_up(sizeof(struct fence_block), ALIGNMENT));
    if (block->mark != MARK) {
        heap->strange_release = true;
        return;
    }
    inspect_block(heap, block);
    *(block->previous ? &block->previous->next : &heap->blocks) = block->next;
    if (block->next)
        block->next->previous = block->previous;
    heap->live--;
    heap->bytes -= block->size;
    if (block->mapped > 0) /* another touch of it is a signal */
        munmap(block->mapping, block->mapped);
    else {
        block->mark = 0;
        free(block->mapping);
    }
}
