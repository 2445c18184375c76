/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs the jobs that oracle-gpu wrote into a folder as SPIR-V on a Vulkan device, and leaves what came back as
 * gpu.mjs does: out.bin, and results.tsv with a line a job: name, offset in out.bin (or -1), why not.
 *
 * Usage: oracle-vulkan DIR     VK_DRIVER_FILES names the driver
 */
#include "tests/oracle/gpu.h"
#include "tests/unit/json.h"

#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

enum { GROUPS = 4, VIEWS = 3, TEXTURES = 64, PERIOD = 64, JOB_BINDINGS = GPU_RESOURCES + 2 };

static const char *const view_names[VIEWS] = {"2d", "3d", "cube"};

typedef struct buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    void *mapped;
} buffer;

typedef struct gpu {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
    VkRenderPass pass;
    VkFramebuffer frame;
    VkShaderModule vertex;
    VkSampler sampler;
    buffer corners, banks[3];
    VkImageView views[VIEWS][TEXTURES];
    uint32_t view_count[VIEWS];
} gpu;

/* A resource of a job, as the manifest has it. */
typedef struct resource {
    uint32_t group, binding;
    VkDescriptorType type;
    uint32_t bank, view, number, period;
    VkDeviceSize size;
} resource;

typedef struct job {
    const char *name;
    uint32_t count, sets, first_set;
    size_t in, in_bytes, out_bytes, module, module_bytes;
    resource resources[JOB_BINDINGS];
    uint32_t resource_count;
} job;

/* What a job made. */
typedef struct made {
    buffer in, out;
    VkShaderModule module;
    VkDescriptorSetLayout layouts[GROUPS];
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorPool pool;
    VkDescriptorSet sets[GROUPS][PERIOD];
    uint32_t period[GROUPS];
    const char *failed; /* the call that did */
    VkResult result;
} made;

static void check(made *m, VkResult result, const char *call)
{
    if (result != VK_SUCCESS && !m->failed) {
        m->failed = call;
        m->result = result;
    }
}

/* ---- memory ---- */

static uint32_t memory_type(const gpu *g, uint32_t bits, VkMemoryPropertyFlags flags)
{
    VkPhysicalDeviceMemoryProperties properties;
    vkGetPhysicalDeviceMemoryProperties(g->physical, &properties);
    for (uint32_t i = 0; i < properties.memoryTypeCount; i++)
        if (bits >> i & 1 && (properties.memoryTypes[i].propertyFlags & flags) == flags)
            return i;
    return 0;
}

static void make_buffer(const gpu *g, made *m, buffer *b, size_t size, VkBufferUsageFlags usage,
                        const void *bytes)
{
    VkMemoryRequirements needs;
    const VkBufferCreateInfo how = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                    .size = size < 16 ? 16 : size,
                                    .usage = usage};
    check(m, vkCreateBuffer(g->device, &how, NULL, &b->handle), "vkCreateBuffer");
    if (m->failed)
        return;
    vkGetBufferMemoryRequirements(g->device, b->handle, &needs);
    const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = needs.size,
                                         .memoryTypeIndex =
                                             memory_type(g, needs.memoryTypeBits,
                                                         VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                                             VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)};
    check(m, vkAllocateMemory(g->device, &memory, NULL, &b->memory), "vkAllocateMemory");
    if (m->failed)
        return;
    check(m, vkBindBufferMemory(g->device, b->handle, b->memory, 0), "vkBindBufferMemory");
    check(m, vkMapMemory(g->device, b->memory, 0, VK_WHOLE_SIZE, 0, &b->mapped), "vkMapMemory");
    if (m->failed)
        return;
    if (bytes)
        memcpy(b->mapped, bytes, size);
    else
        memset(b->mapped, 0, size);
}

static void free_buffer(const gpu *g, buffer *b)
{
    vkDestroyBuffer(g->device, b->handle, NULL);
    vkFreeMemory(g->device, b->memory, NULL);
}

/* ---- commands ---- */

static void begin(const gpu *g, made *m)
{
    const VkCommandBufferBeginInfo how = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    check(m, vkResetCommandPool(g->device, g->pool, 0), "vkResetCommandPool");
    check(m, vkBeginCommandBuffer(g->commands, &how), "vkBeginCommandBuffer");
}

static void run(const gpu *g, made *m)
{
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &g->commands};
    check(m, vkEndCommandBuffer(g->commands), "vkEndCommandBuffer");
    check(m, vkResetFences(g->device, 1, &g->fence), "vkResetFences");
    check(m, vkQueueSubmit(g->queue, 1, &submit, g->fence), "vkQueueSubmit");
    if (!m->failed)
        check(m, vkWaitForFences(g->device, 1, &g->fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
}

static void move_image(const gpu *g, VkImage image, uint32_t layers, VkImageLayout from,
                       VkImageLayout to)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
        .oldLayout = from,
        .newLayout = to,
        .image = image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, layers}};
    vkCmdPipelineBarrier(g->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

/* ---- what jobs share ---- */

static bool open_device(gpu *g, made *m)
{
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo how = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                      .pApplicationInfo = &application};
    uint32_t count = 1;
    const float priority = 1;
    check(m, vkCreateInstance(&how, NULL, &g->instance), "vkCreateInstance");
    if (m->failed || vkEnumeratePhysicalDevices(g->instance, &count, &g->physical) < 0 || !count)
        return false;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    VkPhysicalDeviceVulkan13Features v13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceVulkan12Features v12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &v13};
    VkPhysicalDeviceVulkan11Features v11 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &v12};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &v11};
    vkGetPhysicalDeviceFeatures2(g->physical, &features);
    /* What the module does past an array's end has to be its own doing. */
    features.features.robustBufferAccess = VK_FALSE;
    v13.robustImageAccess = VK_FALSE;
    const VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .pNext = &features,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &queue};
    check(m, vkCreateDevice(g->physical, &device, NULL, &g->device), "vkCreateDevice");
    if (m->failed)
        return false;
    vkGetDeviceQueue(g->device, 0, 0, &g->queue);
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    check(m, vkCreateCommandPool(g->device, &pool, NULL, &g->pool), "vkCreateCommandPool");
    const VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = g->pool,
        .commandBufferCount = 1};
    check(m, vkAllocateCommandBuffers(g->device, &commands, &g->commands),
          "vkAllocateCommandBuffers");
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    check(m, vkCreateFence(g->device, &fence, NULL, &g->fence), "vkCreateFence");
    return !m->failed;
}

/* Without attachments: what is computed goes into buffers. */
static void make_target(gpu *g, made *m)
{
    const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS};
    const VkRenderPassCreateInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .subpassCount = 1,
                                         .pSubpasses = &subpass};
    check(m, vkCreateRenderPass(g->device, &pass, NULL, &g->pass), "vkCreateRenderPass");
    const VkFramebufferCreateInfo frame = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                           .renderPass = g->pass,
                                           .width = 2 * GPU_SIDE,
                                           .height = 2 * GPU_SIDE,
                                           .layers = 1};
    check(m, vkCreateFramebuffer(g->device, &frame, NULL, &g->frame), "vkCreateFramebuffer");
    const VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    check(m, vkCreateSampler(g->device, &sampler, NULL, &g->sampler), "vkCreateSampler");
}

static void upload(gpu *g, made *m, const char *view, const uint32_t size[3], const void *bytes)
{
    uint32_t kind = 0;
    while (kind < VIEWS && strcmp(view, view_names[kind]) != 0)
        kind++;
    if (kind == VIEWS || g->view_count[kind] == TEXTURES)
        return;
    bool solid = kind == 1, cube = kind == 2;
    uint32_t layers = solid ? 1 : size[2];
    buffer staging = {0};
    VkImage image;
    VkDeviceMemory memory;
    VkMemoryRequirements needs;
    const VkImageCreateInfo how = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                   .flags = cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
                                   .imageType = solid ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D,
                                   .format = VK_FORMAT_R16G16B16A16_SFLOAT,
                                   .extent = {size[0], size[1], solid ? size[2] : 1},
                                   .mipLevels = 1,
                                   .arrayLayers = layers,
                                   .samples = VK_SAMPLE_COUNT_1_BIT,
                                   .usage = VK_IMAGE_USAGE_SAMPLED_BIT |
                                            VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    check(m, vkCreateImage(g->device, &how, NULL, &image), "vkCreateImage");
    if (m->failed)
        return;
    vkGetImageMemoryRequirements(g->device, image, &needs);
    const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                           .allocationSize = needs.size,
                                           .memoryTypeIndex =
                                               memory_type(g, needs.memoryTypeBits, 0)};
    check(m, vkAllocateMemory(g->device, &allocate, NULL, &memory), "vkAllocateMemory");
    if (m->failed)
        return;
    check(m, vkBindImageMemory(g->device, image, memory, 0), "vkBindImageMemory");
    make_buffer(g, m, &staging, (size_t)size[0] * size[1] * size[2] * 8,
                VK_BUFFER_USAGE_TRANSFER_SRC_BIT, bytes);
    const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, layers},
                                    .imageExtent = how.extent};
    begin(g, m);
    if (m->failed)
        return;
    move_image(g, image, layers, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    vkCmdCopyBufferToImage(g->commands, staging.handle, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                           1, &copy);
    move_image(g, image, layers, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
               VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    run(g, m);
    free_buffer(g, &staging);
    const VkImageViewCreateInfo look = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image,
        .viewType = solid  ? VK_IMAGE_VIEW_TYPE_3D
                    : cube ? VK_IMAGE_VIEW_TYPE_CUBE
                           : VK_IMAGE_VIEW_TYPE_2D,
        .format = how.format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, layers}};
    check(m, vkCreateImageView(g->device, &look, NULL, &g->views[kind][g->view_count[kind]++]),
          "vkCreateImageView");
}

static void make_module(const gpu *g, made *m, const char *words, size_t bytes, VkShaderModule *to)
{
    const VkShaderModuleCreateInfo how = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                          .codeSize = bytes,
                                          .pCode = (const uint32_t *)(const void *)words};
    check(m, vkCreateShaderModule(g->device, &how, NULL, to), "vkCreateShaderModule");
}

static void share(gpu *g, made *m, const json *j, const char *data)
{
    /* A triangle over the upper left half: the square of jobs lies within. */
    static const float corners[3][4] = {{-1, -1, 0.5f, 1}, {1, -1, 0.5f, 1}, {-1, 1, 0.5f, 1}};
    const json_node *root = &j->nodes[1], *list = json_get(j, root, "textures");
    uint32_t k = 0;
    make_target(g, m);
    make_buffer(g, m, &g->corners, sizeof corners, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, corners);
    for (const json_node *t = json_first(j, list); t && !m->failed; t = json_next(j, t)) {
        uint32_t size[3], i = 0;
        for (const json_node *n = json_first(j, json_get(j, t, "size")); n && i < 3;
             n = json_next(j, n))
            size[i++] = (uint32_t)n->number;
        upload(g, m, json_string(j, t, "view"), size, data + (size_t)json_number(j, t, "at"));
    }
    list = json_get(j, root, "banks");
    for (const json_node *b = json_first(j, list); b && k < 3; b = json_next(j, b))
        make_buffer(g, m, &g->banks[k++], (size_t)json_number(j, b, "size"),
                    VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                    data + (size_t)json_number(j, b, "at"));
    make_module(g, m, data + (size_t)json_number(j, root, "vertex"),
                (size_t)json_number(j, root, "vertexBytes"), &g->vertex);
}

/* ---- a job ---- */

static void read_resource(const gpu *g, const json *j, const json_node *n, job *o)
{
    const char *kind = json_string(j, n, "kind"), *view = json_string(j, n, "view");
    resource *r = &o->resources[o->resource_count++];
    r->group = (uint32_t)json_number(j, n, "group");
    r->binding = (uint32_t)json_number(j, n, "binding");
    r->bank = (uint32_t)json_number(j, n, "bank") % 3;
    r->number = (uint32_t)json_number(j, n, "number");
    r->size = (VkDeviceSize)json_number(j, n, "size");
    r->period = 1;
    if (strcmp(kind, "sampler") == 0) {
        r->type = VK_DESCRIPTOR_TYPE_SAMPLER;
    } else if (strcmp(kind, "texture") == 0) {
        r->type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
        while (r->view + 1 < VIEWS && strcmp(view, view_names[r->view]) != 0)
            r->view++;
        r->period = g->view_count[r->view];
    } else {
        r->type = strcmp(kind, "uniform") == 0 ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
                                               : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        r->period = o->sets;
    }
}

static void read_job(const gpu *g, const json *j, const json_node *n, job *o)
{
    memset(o, 0, sizeof *o);
    o->name = json_string(j, n, "name");
    o->count = (uint32_t)json_number(j, n, "count");
    o->sets = (uint32_t)json_number(j, n, "sets");
    o->first_set = (uint32_t)json_number(j, n, "firstSet");
    o->in = (size_t)json_number(j, n, "in");
    o->in_bytes = (size_t)json_number(j, n, "inBytes");
    o->out_bytes = (size_t)json_number(j, n, "outBytes");
    o->module = (size_t)json_number(j, n, "module");
    o->module_bytes = (size_t)json_number(j, n, "moduleBytes");
    for (const json_node *r = json_first(j, json_get(j, n, "resources"));
         r && o->resource_count < GPU_RESOURCES; r = json_next(j, r))
        read_resource(g, j, r, o);
    for (uint32_t i = 0; i < 2; i++)
        o->resources[o->resource_count++] = (resource){.group = 3,
                                                       .binding = GPU_BINDING_IN + i,
                                                       .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                       .period = 1};
}

static void make_layouts(const gpu *g, made *m, const job *o)
{
    for (uint32_t group = 0; group < GROUPS; group++) {
        VkDescriptorSetLayoutBinding bindings[JOB_BINDINGS] = {{0}};
        uint32_t count = 0;
        m->period[group] = 1;
        for (uint32_t i = 0; i < o->resource_count; i++) {
            const resource *r = &o->resources[i];
            if (r->group != group)
                continue;
            bindings[count++] =
                (VkDescriptorSetLayoutBinding){.binding = r->binding,
                                               .descriptorType = r->type,
                                               .descriptorCount = 1,
                                               .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT};
            m->period[group] = r->period > m->period[group] ? r->period : m->period[group];
        }
        const VkDescriptorSetLayoutCreateInfo how = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
            .bindingCount = count,
            .pBindings = bindings};
        check(m, vkCreateDescriptorSetLayout(g->device, &how, NULL, &m->layouts[group]),
              "vkCreateDescriptorSetLayout");
    }
    const VkPipelineLayoutCreateInfo how = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                            .setLayoutCount = GROUPS,
                                            .pSetLayouts = m->layouts};
    check(m, vkCreatePipelineLayout(g->device, &how, NULL, &m->layout), "vkCreatePipelineLayout");
}

static void make_pipeline(const gpu *g, made *m)
{
    const VkPipelineShaderStageCreateInfo stages[2] = {
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_VERTEX_BIT,
         .module = g->vertex,
         .pName = "main"},
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
         .module = m->module,
         .pName = "main"}};
    const VkVertexInputBindingDescription corner = {.stride = 16};
    const VkVertexInputAttributeDescription attribute = {.format = VK_FORMAT_R32G32B32A32_SFLOAT};
    const VkPipelineVertexInputStateCreateInfo vertices = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = 1,
        .pVertexBindingDescriptions = &corner,
        .vertexAttributeDescriptionCount = 1,
        .pVertexAttributeDescriptions = &attribute};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkViewport whole = {0, 0, 2 * GPU_SIDE, 2 * GPU_SIDE, 0, 1};
    const VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .pViewports = &whole,
        .scissorCount = 1};
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
    const VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkDynamicState scissor = VK_DYNAMIC_STATE_SCISSOR;
    const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 1,
        .pDynamicStates = &scissor};
    const VkGraphicsPipelineCreateInfo how = {.sType =
                                                  VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                              .stageCount = 2,
                                              .pStages = stages,
                                              .pVertexInputState = &vertices,
                                              .pInputAssemblyState = &assembly,
                                              .pViewportState = &viewport,
                                              .pRasterizationState = &raster,
                                              .pMultisampleState = &samples,
                                              .pDynamicState = &dynamic,
                                              .layout = m->layout,
                                              .renderPass = g->pass};
    check(m, vkCreateGraphicsPipelines(g->device, VK_NULL_HANDLE, 1, &how, NULL, &m->pipeline),
          "vkCreateGraphicsPipelines");
}

/* Sets of descriptors: as many of a group as its resources differ between sets of inputs. */
static void make_sets(const gpu *g, made *m, const job *o)
{
    const VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_SAMPLER, GROUPS * PERIOD * 16},
        {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, GROUPS * PERIOD * 16},
        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, GROUPS * PERIOD * 16},
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, GROUPS * PERIOD * 16}};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = GROUPS * PERIOD,
                                             .poolSizeCount = 4,
                                             .pPoolSizes = sizes};
    check(m, vkCreateDescriptorPool(g->device, &pool, NULL, &m->pool), "vkCreateDescriptorPool");
    for (uint32_t group = 0; group < GROUPS; group++)
        for (uint32_t set = 0; set < m->period[group] && !m->failed; set++) {
            const VkDescriptorSetAllocateInfo how = {
                .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                .descriptorPool = m->pool,
                .descriptorSetCount = 1,
                .pSetLayouts = &m->layouts[group]};
            check(m, vkAllocateDescriptorSets(g->device, &how, &m->sets[group][set]),
                  "vkAllocateDescriptorSets");
        }
    for (uint32_t i = 0; i < o->resource_count && !m->failed; i++) {
        const resource *r = &o->resources[i];
        for (uint32_t set = 0; set < m->period[r->group]; set++) {
            VkDescriptorBufferInfo bytes = {.range = VK_WHOLE_SIZE};
            VkDescriptorImageInfo image = {.sampler = g->sampler,
                                           .imageLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
            if (r->type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE)
                image.imageView =
                    g->views[r->view][(r->number + o->first_set + set) % g->view_count[r->view]];
            if (r->group == 3)
                bytes.buffer = r->binding == GPU_BINDING_IN ? m->in.handle : m->out.handle;
            else
                bytes = (VkDescriptorBufferInfo){g->banks[r->bank].handle,
                                                 (o->first_set + set) * GPU_BANK_STEP, r->size};
            const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                                .dstSet = m->sets[r->group][set],
                                                .dstBinding = r->binding,
                                                .descriptorCount = 1,
                                                .descriptorType = r->type,
                                                .pImageInfo = &image,
                                                .pBufferInfo = &bytes};
            vkUpdateDescriptorSets(g->device, 1, &write, 0, NULL);
        }
    }
}

/* The pixels of a set's quads: quads go along rows of the square. */
static VkRect2D scissor_of(const job *o, uint32_t set)
{
    uint32_t quads = o->count / o->sets / 4, row = GPU_SIDE / 2, first = set * quads;
    if (quads < row)
        return (VkRect2D){{(int32_t)(first % row * 2), (int32_t)(first / row * 2)}, {quads * 2, 2}};
    return (VkRect2D){{0, (int32_t)(first / row * 2)}, {GPU_SIDE, quads / row * 2}};
}

static void draw(const gpu *g, made *m, const job *o)
{
    const VkDeviceSize zero = 0;
    const VkRenderPassBeginInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .renderPass = g->pass,
                                        .framebuffer = g->frame,
                                        .renderArea = {{0, 0}, {2 * GPU_SIDE, 2 * GPU_SIDE}}};
    begin(g, m);
    vkCmdBeginRenderPass(g->commands, &pass, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(g->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, m->pipeline);
    vkCmdBindVertexBuffers(g->commands, 0, 1, &g->corners.handle, &zero);
    for (uint32_t set = 0; set < o->sets; set++) {
        const VkRect2D scissor = scissor_of(o, set);
        VkDescriptorSet bound[GROUPS];
        for (uint32_t i = 0; i < GROUPS; i++)
            bound[i] = m->sets[i][set % m->period[i]];
        vkCmdBindDescriptorSets(g->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, m->layout, 0, GROUPS,
                                bound, 0, NULL);
        vkCmdSetScissor(g->commands, 0, 1, &scissor);
        vkCmdDraw(g->commands, 3, 1, 0, 0);
    }
    vkCmdEndRenderPass(g->commands);
    run(g, m);
}

static void run_job(const gpu *g, made *m, const job *o, const char *data)
{
    const VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    memset(m, 0, sizeof *m);
    make_buffer(g, m, &m->in, o->in_bytes, storage, data + o->in);
    make_buffer(g, m, &m->out, o->out_bytes, storage, NULL);
    make_module(g, m, data + o->module, o->module_bytes, &m->module);
    if (!m->failed)
        make_layouts(g, m, o);
    if (!m->failed)
        make_sets(g, m, o);
    if (!m->failed)
        make_pipeline(g, m);
    if (!m->failed)
        draw(g, m, o);
}

static void free_made(const gpu *g, made *m)
{
    vkDestroyPipeline(g->device, m->pipeline, NULL);
    vkDestroyPipelineLayout(g->device, m->layout, NULL);
    vkDestroyDescriptorPool(g->device, m->pool, NULL);
    for (uint32_t i = 0; i < GROUPS; i++)
        vkDestroyDescriptorSetLayout(g->device, m->layouts[i], NULL);
    vkDestroyShaderModule(g->device, m->module, NULL);
    free_buffer(g, &m->in);
    free_buffer(g, &m->out);
}

/* ---- the folder ---- */

static FILE *open_in(const char *folder, const char *name, const char *mode)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, mode);
}

/* The whole file and a NUL, from malloc. */
static char *read_whole(const char *folder, const char *name)
{
    FILE *file = open_in(folder, name, "rb");
    long size = 0;
    char *bytes = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0)
        bytes = calloc(1, (size_t)size + 1);
    if (bytes &&
        (fseek(file, 0, SEEK_SET) || fread(bytes, 1, (size_t)size, file) != (size_t)size)) {
        free(bytes);
        bytes = NULL;
    }
    if (file)
        fclose(file);
    return bytes;
}

static void run_all(const gpu *g, const json *j, const char *data, FILE *out, FILE *results)
{
    size_t at = 0;
    for (const json_node *n = json_first(j, json_get(j, &j->nodes[1], "jobs")); n;
         n = json_next(j, n)) {
        static job o;
        static made m;
        read_job(g, j, n, &o);
        run_job(g, &m, &o, data);
        if (m.failed) {
            fprintf(results, "%s\t-1\t%s: VkResult %d\n", o.name, m.failed, (int)m.result);
        } else {
            fwrite(m.out.mapped, 1, o.out_bytes, out);
            fprintf(results, "%s\t%zu\t\n", o.name, at);
            at += o.out_bytes;
        }
        fflush(out); /* the driver may take the process down with the next one */
        fflush(results);
        free_made(g, &m);
    }
}

int main(int argc, char **argv)
{
    static gpu g;
    static made m;
    VkPhysicalDeviceProperties properties;
    json j;
    char *text = argc == 2 ? read_whole(argv[1], "manifest.json") : NULL;
    char *data = text ? read_whole(argv[1], "data.bin") : NULL;
    if (!data || !json_parse(&j, text)) {
        fprintf(stderr, "usage: oracle-vulkan DIR, which oracle-gpu made\n");
        return 2;
    }
    if (!open_device(&g, &m)) {
        fprintf(stderr, "vulkan: no device: %s\n", m.failed ? m.failed : "none is there");
        return 3;
    }
    share(&g, &m, &j, data);
    FILE *out = open_in(argv[1], "out.bin", "wb"), *results = open_in(argv[1], "results.tsv", "w");
    if (m.failed || !out || !results) {
        fprintf(stderr, "vulkan: %s\n", m.failed ? m.failed : "cannot write results");
        return 3;
    }
    vkGetPhysicalDeviceProperties(g.physical, &properties);
    printf("vulkan on %s\n", properties.deviceName);
    run_all(&g, &j, data, out, results);
    fclose(out);
    fclose(results);
    json_free(&j);
    free(data);
    return 0;
}
